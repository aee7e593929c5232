from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slow_graphemes import ALPHABET, boundaries

from pool.program.full_text import MAX_LINE_CHARS, full_text
from pool.program.outcome import ConsoleLine, Outcome, ProgramError, Reason, Status, TextItem
from pool.program.render import whole

FULL = "x" * MAX_LINE_CHARS


def lines_of(text: str) -> list[str]:
    """What the full output has of one text, line by line."""
    outcome = Outcome(Status.COMPLETED, output=(TextItem(text),))
    header, blank, *lines = full_text(outcome).split("\n")[1:]
    assert header.startswith("Wall time ")
    assert blank == ""
    return lines


def test_o5_everything_is_there_and_nothing_is_cut() -> None:
    outcome = Outcome(
        Status.FAILED,
        Reason.ERROR,
        output=tuple(TextItem(f"item {n}") for n in range(20_000)),
        console=(ConsoleLine("warn", "careful"),),
        error=ProgramError("Error", "odd"),
        notes=("N.",),
        max_output_tokens=0,
    )

    text = full_text(outcome)

    assert text == whole(outcome)
    assert "item 10000\n" in text
    assert text.endswith(
        "<console_output>\n[warn] careful\n</console_output>\n\nNote: N.\n\n"
        "Script error:\nError: odd"
    )


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (FULL, [FULL]),
        (FULL + "y", [FULL, "y"]),
        (f"{FULL}{FULL}y", [FULL, FULL, "y"]),
        (f"a\n{FULL}y\n\nb", ["a", FULL, "y", "", "b"]),
        (f"{FULL}\r\nb", [f"{FULL}\r", "b"]),
        (f"{FULL}y\r\nb", [FULL, "y\r", "b"]),
        (f"x{FULL[1:]}\u0301y", [FULL[1:], "x\u0301y"]),
        ("🇫🇷" * 1_500, ["🇫🇷" * 1_000, "🇫🇷" * 500]),
        ("x" + "🇫🇷" * 1_000, ["x" + "🇫🇷" * 999, "🇫🇷"]),
        ("👩‍👩‍👧‍👦" * 300, ["👩‍👩‍👧‍👦" * 285, "👩‍👩‍👧‍👦" * 15]),
    ],
)
def test_o5_a_long_line_is_broken_between_characters(text: str, lines: list[str]) -> None:
    assert lines_of(text) == lines


@pytest.mark.parametrize("char", ["\u0301", "\u200d", "\r", "\u0600"])
def test_a_long_line_of_what_is_no_character_is_broken_all_the_same(char: str) -> None:
    lines = lines_of(char * 10_000)

    assert "".join(lines) == char * 10_000
    assert max(map(len, lines)) <= MAX_LINE_CHARS + (char == "\r")


@given(st.text(st.sampled_from(ALPHABET), min_size=1, max_size=60), st.integers(40, 90))
def test_breaking_lines_adds_line_ends_at_boundaries_and_nothing_else(text: str, n: int) -> None:
    text = text.replace("\n", "a") * n

    at, ends = 0, set()
    lines = lines_of(text)
    for line in lines[:-1]:
        at += len(line)
        ends.add(at)

    assert "".join(lines) == text
    assert max(map(len, lines)) <= MAX_LINE_CHARS + 1  # a CR is no part of the line's content
    assert ends <= boundaries(text)
