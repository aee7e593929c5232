"""Recovery of fenced programs, through `prepare`."""

from __future__ import annotations

import pytest

from pool.errors import SourceRefused
from pool.limits import Limits
from pool.program.positions import Lines
from pool.program.source import Program, prepare

NOTE = "The Markdown fence was ignored."
NOTE_WITH_PROSE = "The Markdown fence and the text around it were ignored."


def read(source: str) -> Program:
    return prepare(source, limits=Limits())


def refused(source: str) -> SourceRefused:
    with pytest.raises(SourceRefused) as caught:
        read(source)
    return caught.value


@pytest.mark.parametrize(
    "opening", ["```", "```js", "```javascript", "```ts", "```TypeScript", "````js", "``` js x=1"]
)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\u2028"])
def test_a_fence_of_javascript_is_taken_off(opening: str, end: str) -> None:
    ticks = opening.rstrip("JSTabcdefghijklmnopqrstuvwxyz =1")
    program = read(f"{opening}{end}return 1{end}{ticks}{end}")

    assert program.source.split() == ["return", "1"]
    assert Lines(program.source)[2] == "return 1"
    assert program.notes == (NOTE,)


@pytest.mark.parametrize(
    "prose",
    [
        "Here is the program:",
        "Here's what it'll do, \"quoted\" and `ticked`:",
        "It reads src/*.py and/or /etc/hosts:",
        "It costs 1/2 ${x}.",
        "# Title\n\n- a\n- b",
    ],
)
def test_prose_around_the_fence_is_taken_off(prose: str) -> None:
    source = f"{prose}\n\n```js\nreturn `a ${{b}}`\n```\n\n{prose}\n"

    program = read(source)

    assert program.source.split() == ["return", "`a", "${b}`"]
    assert program.notes == (NOTE_WITH_PROSE,)


def test_a_fence_that_is_never_closed_reaches_to_the_end() -> None:
    assert read("```js\nreturn 1").source.strip() == "return 1"


def test_a_block_of_another_language_beside_the_program_is_prose() -> None:
    source = "```sh\nls\n```\nthen\n```js\nreturn 1\n```\nprints\n```json\n1\n```"

    assert read(source).source.strip() == "return 1"


@pytest.mark.parametrize(
    "code",
    [
        "/*\n```\n*/ return 1",
        "return `\n\\`\\`\\`js\nx\n\\`\\`\\`\n`",
        "return `a ${b}`",
        "return /`/.test(x)",
        "return '```'",
        "text(`\n${ `inner` }\n`)",
    ],
)
def test_backticks_of_the_program_are_its_own(code: str) -> None:
    assert read(code).source == code
    assert read(f"```js\n{code}\n```").source.strip() == code


def test_broken_code_in_a_fence_still_ends_at_the_fence() -> None:
    assert read("```js\nreturn `open\n```\nprose").source.strip() == "return `open"


def test_a_longer_fence_may_hold_a_shorter_one() -> None:
    source = "````js\n/*\n```\n*/\nreturn 1\n````"

    assert read(source).source.split()[-2:] == ["return", "1"]


@pytest.mark.parametrize(
    "source",
    ["return '```js'", "x = a``\n```js return 1```", "// ```js\nreturn 1"],
)
def test_what_does_not_open_a_block_is_left_to_the_compiler(source: str) -> None:
    program = read(source)

    assert program.source == source
    assert program.notes == ()


def test_two_programs_are_refused_and_not_guessed_among() -> None:
    error = refused("```js\nreturn 1\n```\nor\n```js\nreturn 2\n```")

    assert error.line == 5
    assert "send one program" in str(error)


@pytest.mark.parametrize("language", ["tsx", "mjs", "Node", "cts", "ecmascript"])
def test_every_kind_of_javascript_and_typescript_is_a_program(language: str) -> None:
    program = read(f"```{language}\nreturn 1\n```")

    assert program.source.strip() == "return 1"


def test_a_fence_that_only_closes_ends_the_program_before_it() -> None:
    program = read("return 1\n```\n")

    assert program.source == "return 1\n   \n"
    assert program.notes == ("The Markdown fence was ignored.",)


def test_a_block_of_another_language_alone_is_refused() -> None:
    error = refused("Look:\n```python\nprint(1)\n```")

    assert error.line == 2
    assert "'python'" in str(error)


@pytest.mark.parametrize("source", ["```js\n```", "```\n \n```", "```js", "Sure:\n```js\n"])
def test_an_empty_block_is_refused(source: str) -> None:
    assert "the code block is empty" in str(refused(source))
