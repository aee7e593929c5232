"""Where the code of a source begins and ends."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pool.program.span import code_span

# White space and comments that may stand around code, and the code between them.
TRIVIA = st.lists(
    st.sampled_from(["\n", " \t", "// a ; b\n", "/* ; */", "/* a\n// b */", "\u2028", "\ufeff"])
).map("".join)
CODE = st.sampled_from(
    ["1", "'a;//b'", "`a; // b`", "a /* b */ + c", "f(`${`;`} //`)", "/;\\/\\// .test(x)", "'é😀'"]
)


def shown(text: str) -> str:
    start, end = code_span(text)
    units = text.encode("utf-16-le")
    return units[2 * start : 2 * end].decode("utf-16-le")


@given(TRIVIA, CODE, st.sampled_from(["", ";", " ;; ;"]), TRIVIA)
def test_comments_around_code_and_semicolons_behind_it_are_outside(
    before: str, code: str, semicolons: str, after: str
) -> None:
    assert shown(f"{before}{code}{semicolons}{after}") == code


@given(TRIVIA)
def test_without_code_start_and_end_are_the_same(text: str) -> None:
    start, end = code_span(text)

    assert start == end


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("for (;;);", "for (;;)"),
        ("text(1); // a\ntext(2); /* b */ // c", "text(1); // a\ntext(2)"),
        ("fetch('http://x')", "fetch('http://x')"),
        ("1 // never ends", "1"),
        ("1 /* never ends", "1 /* never ends"),
        ("'unfinished ; // x", "'unfinished ; // x"),
    ],
)
def test_only_what_trails_is_left_out(source: str, code: str) -> None:
    assert shown(source) == code


def test_a_million_comments_are_read_in_one_pass() -> None:
    source = "/**/" * 200_000 + "1" + "/**/;" * 200_000

    assert shown(source).endswith("1")
