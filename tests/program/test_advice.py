"""One sentence for each kind of mistake that models make. Messages as Deno 2.9.8 words them."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pool.program.advice import BREAKOUT, UNFINISHED, explain

TOKEN = "Invalid or unexpected token"
CASES = [
    ("const s = “x”;", TOKEN, (1, 11), "straight quotes"),
    ("const s = «x»;", TOKEN, (1, 11), "straight quotes"),
    ("f(1\uff0c2)", TOKEN, (1, 4), "U+FF0C is no character of JavaScript"),
    ("@dec class A {}", TOKEN, (1, 1), "Decorators are not supported"),
    ("'it's'", "Unexpected identifier 's'", (1, 5), "begins on line 1, column 6 does not end"),
    ("\n`abc ${1}", "Unexpected end of input", (2, 9), "template that begins on line 2, column 1"),
    (
        "`a ${ `b` ",
        "Unexpected end of input",
        (1, 10),
        "that begins on line 1, column 1 has no end",
    ),
    (
        "import fs from 'fs'",
        "Cannot use import statement outside a module",
        (1, 1),
        "cannot load modules",
    ),
    ("export const a = 1", "Unexpected token 'export'", (1, 1), "Programs export nothing"),
    ("export default 4", "Unexpected token 'export'", (1, 1), "before a function only"),
    ("f(() => {\n  await 1\n})", "await is only valid in async functions", (2, 3), "async"),
    ("foo(1, 2", "missing ) after argument list", (1, 8), "The `(` on line 1, column 4"),
    ("let a = [1;\n", "Unexpected token ';'", (1, 11), "The `[` on line 1, column 9"),
    ("f(\n]", "Unexpected token ']'", (2, 1), "not closed before the `]` on line 2, column 1"),
    ("if (a) {", UNFINISHED, (1, 9), "The `{` on line 1, column 8"),
    ('f("a" "b")', "missing ) after argument list", (1, 3), "A comma or a quote is missing"),
    ("def f(a):\n  pass", "Unexpected identifier 'f'", (1, 5), "looks like Python"),
    ("for x in y:", "Unexpected identifier 'x'", (1, 5), "looks like Python"),
    ("if not x:", "Unexpected identifier 'not'", (1, 4), "looks like Python"),
    ("else:", "Unexpected token 'else'", (1, 1), "looks like Python"),
    ('x = f"{y}"', "Unexpected template string", (1, 6), "looks like Python"),
    ("return x if x is not None else y", "Unexpected token 'if'", (1, 10), "looks like Python"),
    ("Here is the program you want:", "Unexpected identifier 'is'", (1, 6), "program alone"),
    ("const x: number = ;", "Missing initializer in const", (1, 7), "If this is TypeScript"),
    (
        "export default function () {}\nconst a = 1",
        "Unexpected token 'const'",
        (2, 1),
        "Nothing may stand beside the function behind `export default`",
    ),
    ("a.map(x => {x: 1, y: 2})", "Unexpected token ':'", (1, 20), "needs parentheses"),
    ("let x: number = ;", "Unexpected token ':'", (1, 6), "if this is TypeScript"),
    ("let a; let a", "Identifier 'a' has already been declared", (1, 12), "another name"),
    ("const a;", "Missing initializer in const declaration", (1, 7), "with `=`"),
    ("/(/", "Invalid regular expression: /(/: Unterminated group", (1, 1), "backslash"),
    ("1 = 2", "Invalid left-hand side in assignment", (1, 1), "use `===`"),
    ("break", "Illegal break statement", (1, 1), "inside a loop"),
    ("let class = 1", "Unexpected token 'class'", (1, 5), "cannot be names"),
    ("a b", "Unexpected identifier 'b'", (1, 3), "missing before it"),
    ("<p>", "Unexpected token '<'", (1, 1), "no JSX"),
    ("a == = b", "Unexpected token '='", (1, 6), "send the whole program again"),
]


@pytest.mark.parametrize(("source", "message", "position", "advice"), CASES)
def test_s5_a_mistake_gets_advice_of_its_own(
    source: str, message: str, position: tuple[int, int], advice: str
) -> None:
    explained = explain(message, *position, source)

    assert explained.message.startswith(f"{message}. ")
    assert advice in explained.message
    assert (explained.line, explained.column) == position


@pytest.mark.parametrize("message", [UNFINISHED, BREAKOUT, "Unexpected token '}'"])
def test_a_bracket_too_many_is_where_it_stands_and_not_where_the_engine_went_on(
    message: str,
) -> None:
    explained = explain(message, None, None, "text(1)\n  })); ({")

    assert (explained.line, explained.column) == (2, 3)
    assert explained.message == (
        "Unexpected token '}'. Nothing opens the `}` on line 2, column 3; remove it."
    )


def test_brackets_in_texts_templates_comments_and_regular_expressions_do_not_count() -> None:
    source = "f('(', \"[\", `{ ${ '}' } (`, /[(]{/, 1 /* ( */) // {\n)"

    explained = explain("Unexpected token ')'", 2, 1, source)

    assert "Nothing opens the `)` on line 2, column 1" in explained.message


def test_what_the_stripper_of_types_says_stays_as_it_is() -> None:
    said = "TypeScript enums are not supported; use an object: const E = { A: 0, B: 1 }"

    assert explain(said, 1, 1, "enum A {}").message == f"{said}."


@pytest.mark.parametrize(
    ("mistake", "advice"),
    [("const b = “x”", "straight quotes"), ("  @dec class A {}", "Decorators")],
)
@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("let a: number = 1", "Unexpected token ':'"),
        ("const a: '@“' = 1", "Missing initializer in const declaration"),
        ("let a = 1 as any // “", "Unexpected identifier 'as'"),
    ],
)
def test_s5_a_character_of_no_language_is_found_behind_types(
    typed: str, message: str, mistake: str, advice: str
) -> None:
    explained = explain(message, 1, 6, f"{typed}\n{mistake}")

    assert explained.message.startswith(f"{TOKEN}. ")
    assert advice in explained.message
    assert (explained.line, explained.column) == (
        2,
        mistake.index("@" if "@" in mistake else "“") + 1,
    )


@given(
    st.text(alphabet="(){}[]`'\"\\/$*\n a:=é😀", max_size=60),
    st.one_of(st.none(), st.integers(-1, 70)),
    st.one_of(st.none(), st.integers(-1, 70)),
)
def test_any_source_gets_one_sentence_whatever_the_worker_said(
    source: str, line: int | None, column: int | None
) -> None:
    explained = explain("Unexpected token", line, column, source)

    assert explained.message.startswith("Unexpected token")
    assert explained.message.endswith(".")


def test_a_source_that_wants_to_go_on_is_shown_where_its_code_ends() -> None:
    explained = explain(UNFINISHED, 5, 1, "if (a) {\n  b(1)\n\n \n")

    assert (explained.line, explained.column) == (2, 7)


@pytest.mark.parametrize(
    "source", ["(" * 1_000_000, "f'" * 500_000, "A b" * 300_000, "=> {" * 250_000, "`" * 999_999]
)
def test_a_long_source_is_not_read_again(source: str) -> None:
    calls = count_calls(lambda: explain("Unexpected token", 1, len(source), source))

    assert calls < 1_000


def count_calls(work: Callable[[], object]) -> int:
    """How many functions are called, built-in ones too, until the work is done."""
    calls = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    former = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(former)
    return calls
