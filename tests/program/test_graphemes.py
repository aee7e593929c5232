from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from slow_graphemes import ALPHABET, CLASSES, boundaries

from pool.program.budget import cut
from pool.program.graphemes import (
    MAX_CLUSTER_CHARS,
    boundary_after,
    boundary_before,
    is_boundary,
)

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
    "क्\u0951ष",
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


any_text = st.text(st.sampled_from(ALPHABET), max_size=40) | st.lists(
    st.sampled_from(CHARACTERS), max_size=20
).map("".join)


@given(any_text)
def test_every_boundary_is_one_of_the_standard(text: str) -> None:
    assert {n for n in range(len(text) + 1) if is_boundary(text, n)} <= boundaries(text)


# What is joined more than the standard asks for: whatever stands behind a joiner or a virama,
# marks behind format characters, and parts of Hangul syllables in odd orders.
STRICT = "".join(chars for letter, chars in CLASSES.items() if letter not in "zlCVT")


@given(st.text(st.sampled_from(STRICT), max_size=40))
def test_apart_from_what_joins_every_boundary_of_the_standard_is_found(text: str) -> None:
    assert {n for n in range(len(text) + 1) if is_boundary(text, n)} == boundaries(text)


def parts(text: str, limit: int) -> tuple[str, str]:
    """Head and tail of a text that is cut, whose counts have been looked at."""
    head, _, rest = cut(text, limit).partition("[… ")
    count, _, tail = rest.partition(" characters cut …]")
    gone, total = map(int, count.split(" of "))
    head, tail = head.removesuffix("\n"), tail.removeprefix("\n")
    assert total == len(text)
    assert len(head) + gone + len(tail) == total
    return head, tail


@given(any_text, st.integers(0, 45))
def test_a_cut_text_has_whole_characters_at_both_ends(text: str, limit: int) -> None:
    text = text.replace("\n", "\u2028")  # `parts` could not tell it from those around the marker
    if len(text) <= limit:
        assert cut(text, limit) == text
        return

    head, tail = parts(text, limit)

    assert text.startswith(head)
    assert text.endswith(tail)
    assert len(head) + len(tail) <= limit
    assert {len(head), len(text) - len(tail)} <= boundaries(text)


def test_o5_a_line_of_every_kind_of_character_is_whole_at_every_budget() -> None:
    characters = [character for character in CHARACTERS if "\n" not in character]
    text = "".join(characters)
    whole = {len("".join(characters[:n])) for n in range(len(characters) + 1)}

    for limit in range(len(text)):
        head, tail = parts(text, limit)

        assert {len(head), len(text) - len(tail)} <= whole


class Watched(str):
    """A text that counts how often somebody looks at one of its characters."""

    __slots__ = ("looks",)

    def __new__(cls, text: str) -> Watched:
        watched = super().__new__(cls, text)
        watched.looks = 0
        return watched

    def __getitem__(self, key):
        self.looks += not isinstance(key, slice)
        return super().__getitem__(key)


@pytest.mark.parametrize(
    "text",
    [
        "\u0301" * 100_000,
        "a" + "\u200d" * 100_000 + "a",
        "\U0001f1eb" * 100_001,
        "\u0600" * 100_000,
    ],
    ids=["marks", "joiners", "flags", "prepended signs"],
)
@pytest.mark.parametrize("offset", [50_000, 100_001])
def test_no_text_makes_the_search_for_a_boundary_long(text: str, offset: int) -> None:
    watched = Watched(text)

    boundary_before(watched, offset)
    boundary_after(watched, offset)

    assert watched.looks < 20 * MAX_CLUSTER_CHARS


def test_a_run_of_marks_that_nobody_reads_is_cut_where_it_has_to_be() -> None:
    text = "a" + "\u0301" * 10_000

    assert boundary_before(text, MAX_CLUSTER_CHARS) == 0
    assert boundary_before(text, 5_000) == 5_000
    assert boundary_after(text, 5_000) == 5_000
