from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pool.program.budget import cut
from pool.program.graphemes import boundary_after, boundary_before, is_boundary

CHARACTERS = [
    "a",
    "\n",
    "\r\n",
    "é",
    "e\u0301\u0323",
    "😀",
    "👍🏽",
    "❤️",
    "👩‍👩‍👧‍👦",
    "🏳️‍🌈",
    "🇫🇷",
    "1️⃣",
    "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
    "각",
    "\u1100\u1161\u11a8",
    "가\u11a8",
    "กำ",
    "नी",
    "क्षि",
    "ｶﾞ",
    "\u0600\u0661",
]


@pytest.mark.parametrize("character", CHARACTERS)
def test_a_character_is_parted_nowhere(character: str) -> None:
    assert [n for n in range(len(character) + 1) if is_boundary(character, n)] == [
        0,
        len(character),
    ]


@given(st.lists(st.sampled_from(CHARACTERS)))
def test_characters_in_a_row_are_parted_between_them_alone(characters: list[str]) -> None:
    text = "".join(characters)
    edges = {len("".join(characters[:n])) for n in range(len(characters) + 1)}

    assert {n for n in range(len(text) + 1) if is_boundary(text, n)} <= edges


def test_plain_letters_are_parted_everywhere() -> None:
    assert all(is_boundary("abc déf 日本", n) for n in range(11))


@given(st.lists(st.sampled_from(CHARACTERS), min_size=1).map("".join), st.data())
def test_boundaries_are_found_on_both_sides(text: str, data: st.DataObject) -> None:
    offset = data.draw(st.integers(0, len(text)))

    before, after = boundary_before(text, offset), boundary_after(text, offset)

    assert before <= offset <= after
    assert is_boundary(text, before)
    assert is_boundary(text, after)
    assert not any(is_boundary(text, n) for n in range(before + 1, after) if n != offset)


@given(st.lists(st.sampled_from(CHARACTERS), max_size=30), st.integers(0, 60))
def test_a_cut_text_has_whole_characters_at_both_ends(characters: list[str], limit: int) -> None:
    text = "".join(characters)
    edges = {len("".join(characters[:n])) for n in range(len(characters) + 1)}

    shown = cut(text, limit)

    if len(text) <= limit:
        assert shown == text
        return
    head, _, rest = shown.partition("[… ")
    count, _, tail = rest.partition(" characters cut …]")
    gone, total = map(int, count.split(" of "))
    head, tail = head.removesuffix("\n"), tail.removeprefix("\n")
    assert total == len(text)
    assert text.startswith(head)
    assert text.endswith(tail)
    assert len(head) + gone + len(tail) == total
    assert len(head) + len(tail) <= limit
    assert {len(head), total - len(tail)} <= edges
