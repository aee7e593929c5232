"""What the compiler refuses, where it says the mistake is, and that nothing of it ran."""

from __future__ import annotations

import pytest
from driver import Worker

MISTAKES = [
    ("let a = 1;\nlet a = 2;", "Identifier 'a' has already been declared", (2, 5)),
    ("const s = “x”;", "Invalid or unexpected token", (1, 11)),
    ("\n\n  a b", "Unexpected identifier 'b'", (3, 5)),
    ('import x from "y"', "Cannot use import statement outside a module", (1, 1)),
    ("foo(1,", "the source ends before it is complete", (1, 7)),
    ("a\n\n   ?b", "the source ends before it is complete", (3, 6)),
    ("/(/", "Invalid regular expression: /(/: Unterminated group", (1, 1)),
    ("'use strict'; with (a) {}", "Strict mode code may not include a with statement", (1, 15)),
    ("return 1\n}\n{", "Unexpected token '{'", (3, 1)),
]

BREAKOUTS = [
    '}); text("ran"); (async () => {',
    '}); text("ran"); (async function () {',
    '}, text("ran"), async () => {',
    "}) /* */ ; (async()=>{ text('ran')",
    "*/ }) ; text('ran'); (() => { /*",
]

NESTED = {
    "brackets": "[" * 100_000 + "]" * 100_000,
    "functions": "(() => " * 20_000 + "1" + ")" * 20_000,
    "blocks": "{" * 100_000 + "}" * 100_000,
}


@pytest.mark.parametrize(("source", "message", "position"), MISTAKES)
def test_a_syntax_error_has_the_position_in_the_programs_own_source(
    shared: Worker, source: str, message: str, position: tuple[int, int]
) -> None:
    ended = shared.run(source)
    shared.expect("READY")

    assert (ended.how, ended.error["name"]) == ("refused", "SyntaxError")
    assert ended.error["message"] == message
    assert (ended.error["line"], ended.error["column"]) == position


@pytest.mark.parametrize("source", BREAKOUTS)
def test_a_source_cannot_close_the_function_around_it(shared: Worker, source: str) -> None:
    ended = shared.run(source)
    shared.expect("READY")

    assert ended.kinds == ["END"]
    assert ended.how == "refused"


@pytest.mark.parametrize("source", NESTED.values(), ids=NESTED)
def test_a_source_that_overflows_the_parser_is_a_syntax_error(shared: Worker, source: str) -> None:
    ended = shared.run(f'text("ran");\n{source}')
    shared.expect("READY")

    assert ended.kinds == ["END"]
    assert (ended.how, ended.error["name"]) == ("refused", "SyntaxError")


def test_the_first_line_counts_as_line_one(shared: Worker) -> None:
    ended = shared.run("throw new Error('here')")
    shared.expect("READY")

    assert (ended.error["line"], ended.error["column"]) == (1, 7)


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("return this === globalThis", True),
        ("undeclared = 1; return undeclared", 1),
        ("'use strict'; return this === undefined", True),
        ("return 1 // a comment at the end", 1),
        ("return await Promise.resolve(2)\n//# sourceURL=other.js", 2),
    ],
)
def test_a_source_is_the_body_of_a_sloppy_async_function(
    shared: Worker, source: str, value: object
) -> None:
    ended = shared.run(source)
    shared.expect("READY")

    assert ended.value == value


def test_names_a_source_gives_itself_do_not_show_in_positions(shared: Worker) -> None:
    ended = shared.run("function f() { null.x }\nf()\n//# sourceURL=/etc/passwd")
    shared.expect("READY")

    assert ended.error["stack"].splitlines() == [
        "    at f (program.js:1:21)",
        "    at program.js:2:1",
    ]
