"""The options line, through `prepare`: what it may say, where it may stand, how it is refused."""

from __future__ import annotations

import pytest

from pool.errors import SourceRefused
from pool.limits import MAX_TIMEOUT_MS, Limits
from pool.program.options import Options
from pool.program.source import Program, prepare

LINE = '// @options: {"timeout_ms": 500}'
WIDE = Limits(timeout_ms=MAX_TIMEOUT_MS, max_output_tokens=10**9)


def read(source: str, limits: Limits = WIDE) -> Program:
    return prepare(source, limits=limits)


def refused(source: str) -> SourceRefused:
    with pytest.raises(SourceRefused) as caught:
        read(source)
    return caught.value


def test_both_options_are_read() -> None:
    program = read('// @options: {"max_output_tokens": 2000, "timeout_ms": 30000}\nreturn 1')

    assert program.options == Options(timeout_ms=30_000, max_output_tokens=2000)
    assert program.notes == ()


def test_a_program_without_options_asks_for_nothing() -> None:
    assert read("return 1").options == Options()


@pytest.mark.parametrize("form", [f"  {LINE}", LINE.replace(" ", ""), "/" + LINE, f"{LINE}  "])
def test_blanks_around_the_parts_do_not_matter(form: str) -> None:
    assert read(f"{form}\nreturn 1").options.timeout_ms == 500


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n", "\u2028", "\u2029"])
def test_every_line_terminator_ends_the_options_line(end: str) -> None:
    assert read(f"{LINE}{end}return 1").options.timeout_ms == 500


@pytest.mark.parametrize(
    "before",
    ["\ufeff", "#!/usr/bin/env node\n", "\ufeff#!/bin/x\r\n", "```js\n", "Sure:\n\n```ts\n#!x\n"],
)
def test_first_is_counted_after_what_stands_before_a_program(before: str) -> None:
    assert read(f"{before}{LINE}\nreturn 1").options.timeout_ms == 500


@pytest.mark.parametrize(
    "source",
    [
        f"const a = `\n{LINE}\n`",
        f"/*\n{LINE}\n*/ return 1",
        f"const a = '\\\n{LINE}'",
        f"return 1 {LINE}",
        "// @optionsets: {}\nreturn 1",
        "return 1\n// @options are read elsewhere",
    ],
)
def test_only_a_comment_line_of_that_form_counts(source: str) -> None:
    assert read(source).options == Options()


@pytest.mark.parametrize(
    ("source", "line", "fix"),
    [
        (f"return 1\n{LINE}", 2, "make it line 1"),
        (f"\n{LINE}\nreturn 1", 2, "make it line 1"),
        (f"#!x\nreturn 1\n{LINE}", 3, "make it line 2"),
        (f"{LINE}\nreturn 1\r\n  {LINE}", 3, "join it with line 1"),
        (f"return `a ${{b}}`\u2028{LINE}", 2, "make it line 1"),
        (f"{LINE}\n```js\nreturn 1\n```", 1, "the first line inside"),
        (f"```js\nreturn 1\n```\n{LINE}", 4, "the first line inside"),
    ],
)
def test_an_options_line_anywhere_else_is_refused(source: str, line: int, fix: str) -> None:
    error = refused(source)

    assert error.line == line
    assert f"Line {line}: " in str(error)
    assert fix in str(error)


@pytest.mark.parametrize(
    "rest", ["", "\n", "\n \u00a0\r\n", "\n// nothing but a comment", "\n/* nor\nhere */\n"]
)
def test_an_options_line_without_code_after_it_is_refused(rest: str) -> None:
    error = refused(f"{LINE}{rest}")

    assert error.line == 1
    assert "put the program below it" in str(error)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("0", "from 1 to 2147483647, not 0"),
        ("-5", "not -5"),
        ("2147483648", "from 1 to 2147483647, not 2147483648"),
        ("1.5", "not 1.5"),
        ("1e3", "not 1000.0"),
        ('"500"', 'not "500"'),
        ("true", "not true"),
        ("null", "not null"),
        ("[1]", "not [1]"),
    ],
)
def test_a_timeout_of_wrong_type_or_range_is_refused(value: str, said: str) -> None:
    error = refused(f'// @options: {{"timeout_ms": {value}}}\nreturn 1')

    assert error.line == 1
    assert "timeout_ms must be a whole number" in str(error)
    assert said in str(error)


def test_a_negative_token_budget_is_refused_and_zero_is_not() -> None:
    line = '// @options: {{"max_output_tokens": {}}}\nreturn 1'

    assert "from 0 on, not -1" in str(refused(line.format(-1)))
    assert read(line.format(0)).options.max_output_tokens == 0


@pytest.mark.parametrize("name", ["timeout", "timeoutMs", "__proto__", "", "x" * 10_000])
def test_an_unknown_option_is_refused_with_the_known_ones(name: str) -> None:
    error = refused(f'// @options: {{"{name}": 1}}\nreturn 1')

    assert "unknown option" in str(error)
    assert "timeout_ms and max_output_tokens" in str(error)
    assert len(str(error)) < 200


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        '{"timeout_ms": 5,}',
        "{'timeout_ms': 5}",
        '{"timeout_ms": 5} // more',
        '{"timeout_ms": NaN}',
        '{"timeout_ms": ' + "9" * 5000 + "}",
        "[" * 100_000,
    ],
)
def test_bad_json_is_refused_with_an_example(text: str) -> None:
    error = refused(f"// @options: {text}\nreturn 1")

    assert error.line == 1
    assert "not valid JSON" in str(error)
    assert '// @options: {"timeout_ms": 30000' in str(error)


def test_the_column_of_bad_json_is_where_it_goes_wrong() -> None:
    assert refused('// @options: {"timeout_ms": 5,}\nreturn 1').column == 31


@pytest.mark.parametrize("text", ["[]", "5", '"timeout_ms"', "null"])
def test_json_other_than_an_object_is_refused(text: str) -> None:
    assert "must be a JSON object" in str(refused(f"// @options: {text}\nreturn 1"))


def test_a_missing_colon_is_refused_instead_of_ignored() -> None:
    assert "a colon is missing" in str(refused('// @options {"timeout_ms": 5}\nreturn 1'))


def test_values_above_the_limits_are_lowered_with_a_note() -> None:
    limits = Limits(timeout_ms=1000, max_output_tokens=50)
    source = '// @options: {"timeout_ms": 2000, "max_output_tokens": 50}\nreturn 1'

    program = read(source, limits)

    assert program.options == Options(timeout_ms=1000, max_output_tokens=50)
    assert program.notes == ("timeout_ms was lowered from 2000 to the limit of 1000.",)


def test_a_number_with_thousands_of_digits_is_lowered_like_any_other() -> None:
    digits = "9" * 4000

    program = read(f'// @options: {{"max_output_tokens": {digits}}}\nreturn 1', Limits())

    assert program.options.max_output_tokens == Limits().max_output_tokens
    assert len(program.notes[0]) < 120
