from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pool.program.positions import (
    Lines,
    begins_line,
    blanked,
    is_blank,
    line_end,
    next_line,
    utf16_length,
    well_formed,
)

ENDS = ["\n", "\r", "\r\n", "\u2028", "\u2029"]


@pytest.mark.parametrize("end", ENDS)
def test_every_line_terminator_of_javascript_ends_one_line(end: str) -> None:
    lines = Lines(f"a{end}bc{end}")

    assert len(lines) == 3
    assert [lines[1], lines[2], lines[3]] == ["a", "bc", ""]


@pytest.mark.parametrize("char", ["\v", "\f", "\x1c", "\x85"])
def test_line_ends_of_python_alone_end_no_line(char: str) -> None:
    assert len(Lines(f"a{char}b")) == 1


@pytest.mark.parametrize("end", ENDS)
def test_a_line_is_found_from_any_place_in_it(end: str) -> None:
    text = f"ab{end}c"

    assert line_end(text, 1) == 2
    assert next_line(text, 1) == 2 + len(end)
    assert line_end(text, len(text)) == next_line(text, len(text)) == len(text)


def test_columns_count_utf16_units_from_one() -> None:
    text = "x\n😀é!"

    assert Lines(text).position(text.index("!")) == (2, 4)


def test_only_white_space_before_means_the_line_begins() -> None:
    assert begins_line(" \t\ufeffx", 3)
    assert begins_line("a\n  x", 4)
    assert not begins_line("a\n b x", 5)


def test_blank_is_what_javascript_takes_for_white_space() -> None:
    assert is_blank("\ufeff \t\v\f\u00a0\u3000\n\r\u2028")
    assert not is_blank("\u200b")


@given(st.text())
def test_blanks_keep_every_position(text: str) -> None:
    blank = blanked(text)

    assert is_blank(blank)
    assert utf16_length(blank) == utf16_length(text)
    assert len(Lines(blank)) == len(Lines(text))


@given(st.text(alphabet=st.characters()))
def test_utf16_length_is_what_the_codec_makes(text: str) -> None:
    assert utf16_length(text) == len(text.encode("utf-16-le", "surrogatepass")) // 2


@given(st.text(alphabet=st.sampled_from("a\ud800\udbff\udc00\udfff😀")))
def test_well_formed_text_has_no_surrogates_and_the_same_length(text: str) -> None:
    made = well_formed(text)

    made.encode("utf-8")
    assert utf16_length(made) == len(text.encode("utf-16-le", "surrogatepass")) // 2


def test_two_halves_become_one_character() -> None:
    assert well_formed("\ud83d\ude00") == "😀"
    assert well_formed("\ude00\ud83d") == "\ufffd\ufffd"
