"""Output and store as the host counts them again."""

from __future__ import annotations

import json
from typing import Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pool.errors import ProtocolFault
from pool.limits import STORE_TOTAL_CHARS, STORE_VALUE_CHARS, Limits
from pool.program.outcome import to_json
from pool.wire.messages import Console, Image, Level, Store, Text
from pool.worker.quota import OutputQuota, StoreQuota, utf16_length

# Two units in UTF-16, four bytes in UTF-8, one character in Python.
EMOJI = "😀"


def text(value: str) -> Text:
    return Text(1, value)


@pytest.mark.parametrize(
    ("value", "length"), [("", 0), ("abc", 3), ("é", 1), (EMOJI, 2), ("\ud800", 1), ("中" * 5, 5)]
)
def test_a_text_is_as_long_as_javascript_says(value: str, length: int) -> None:
    assert utf16_length(value) == length


@pytest.mark.parametrize(
    ("message", "chars"),
    [
        (text(EMOJI), 2),
        (Console(1, Level.LOG, "éé"), 2),
        (Image(1, "image/png", b""), 0),
        (Image(1, "image/png", b"x"), 4),
        (Image(1, "image/png", b"xyz"), 4),
        (Image(1, "image/png", b"wxyz"), 8),
    ],
)
def test_every_kind_of_output_counts_as_one_item_and_its_characters(
    message: Any, chars: int
) -> None:
    quota = OutputQuota(Limits(output_chars=chars or 1))

    assert quota.take(message)
    assert (quota.items, quota.chars) == (1, chars)

    one_less = OutputQuota(Limits(output_chars=max(chars - 1, 1)))
    assert one_less.take(message) is (chars <= 1)


def test_characters_of_all_output_are_counted_together() -> None:
    quota = OutputQuota(Limits(output_chars=10))

    assert quota.take(text("12345"))
    assert quota.take(Console(1, Level.LOG, "12345"))
    assert not quota.take(text("1"))


def test_items_are_counted_also_when_they_are_empty() -> None:
    quota = OutputQuota(Limits(output_items=2))

    assert quota.take(text(""))
    assert quota.take(text(""))
    assert not quota.take(text(""))


def holds(value: Any, limit: int, *, before: str = "") -> bool:
    quota = OutputQuota(Limits(output_chars=limit))
    assert quota.take(text(before))
    return quota.holds_value(value, len(msgpack.packb(value)))


@pytest.mark.parametrize(
    ("value", "chars"),
    [
        ("abc", 3),
        (EMOJI, 2),
        (["abc"], 7),
        (["\x01"], 10),
        ([1, {"a": None}], 14),
        (b"abc", 17),
        ([b""] * 100, 100 * 14 + 1),
        ([False] * 100, 100 * 6 + 1),
        (float("nan"), 5),
    ],
)
def test_a_returned_value_counts_as_json_text_and_a_text_as_it_is(value: Any, chars: int) -> None:
    assert holds(value, chars)
    assert not holds(value, chars - 1)
    assert holds(value, chars + 3, before="abc")
    assert not holds(value, chars + 2, before="abc")


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats()
    | st.text(st.characters(exclude_categories=["Cs"]))
    | st.binary(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=20,
)


@given(values, st.integers(1, 400))
def test_the_quick_look_at_a_value_agrees_with_its_json_text(value: Any, limit: int) -> None:
    text = json.dumps(to_json(value), ensure_ascii=False, separators=(",", ":"))
    chars = utf16_length(value if isinstance(value, str) else text)

    assert holds(value, limit) is (chars <= limit)


def check(changes: dict[str, str], delete: tuple[str, ...] = (), **committed: str) -> None:
    StoreQuota(committed).check(Store(1, changes, delete))


def json_text(chars: int) -> str:
    return '"' + "x" * (chars - 2) + '"'


def test_a_stored_value_may_be_as_long_as_its_limit() -> None:
    check({"k": json_text(STORE_VALUE_CHARS)})
    check({"k": '"' + EMOJI * (STORE_VALUE_CHARS // 2 - 1) + '"'})

    with pytest.raises(ProtocolFault, match="a stored value has more than 262144"):
        check({"k": json_text(STORE_VALUE_CHARS + 1)})
    with pytest.raises(ProtocolFault, match="a stored value has more than 262144"):
        check({"k": '"' + EMOJI * (STORE_VALUE_CHARS // 2) + '"'})


QUARTER = STORE_TOTAL_CHARS // 4


def test_keys_and_values_of_the_branch_are_counted_together() -> None:
    full = {f"{n}": json_text(QUARTER - 1) for n in range(4)}
    check(full)

    with pytest.raises(ProtocolFault, match="the store has more than 1048576"):
        check(full | {"4": "1"})
    with pytest.raises(ProtocolFault, match="the store has more than 1048576"):
        check({"a": "1"}, **{f"k{n}": text for n, text in full.items()})


def test_deleted_and_replaced_values_make_room() -> None:
    full = {f"k{n}": json_text(QUARTER - 2) for n in range(4)}

    check({"k0": "1", "k1": json_text(QUARTER - 2)}, **full)
    check({"new": json_text(QUARTER - 3)}, ("k0", "never"), **full)
    with pytest.raises(ProtocolFault, match="the store has more"):
        check({"new": json_text(QUARTER - 3)}, ("never",), **full)


def test_what_the_store_has_no_room_for_is_not_read() -> None:
    full = {f"k{n}": json_text(QUARTER - 2) for n in range(4)}

    with pytest.raises(ProtocolFault, match="the store has more"):
        check({"new": "no JSON"}, **full)


def test_deleting_from_a_store_that_is_too_full_is_no_fault() -> None:
    check({}, ("k0",), **{f"k{n}": json_text(QUARTER) for n in range(5)})


@pytest.mark.parametrize(
    "value", ["", "undefined", "{a:1}", "[1,]", "NaN", "[-Infinity]", "1 2", "[" * 5000]
)
def test_a_stored_value_is_json_text(value: str) -> None:
    check({"k": '{"a":[1.5,null,true,"é"]}'})

    with pytest.raises(ProtocolFault, match="not JSON text"):
        check({"k": value})
