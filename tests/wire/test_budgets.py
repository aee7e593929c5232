"""What a message may turn into: depth, elements and memory, for messages made to be more."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pool.errors import ProtocolFault
from pool.limits import MAX_NODES, MIB
from pool.wire.budgets import fits_depth, fits_nodes, unpack

# Levels of an envelope: the message, END's value array, one to spare.
DEEPEST = 203

# Longer than what is small enough to be looked at less closely.
LONG = b"\xda\x20\x00" + b"x" * 0x2000


def nested(levels: int, opener: bytes = b"\x91", core: bytes = b"\xc0") -> bytes:
    return opener * levels + core


def array(count: int, items: bytes = b"") -> bytes:
    return b"\xdd" + count.to_bytes(4, "big") + items


@contextmanager
def allocating_at_most(limit_bytes: int) -> Iterator[None]:
    tracemalloc.start()
    try:
        yield
        _, peak_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak_bytes <= limit_bytes


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False)
    | st.text()
    | st.binary(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=50,
)


@given(values)
def test_a_value_comes_back_as_it_was(value: Any) -> None:
    decoded, _ = unpack(msgpack.packb(value))

    assert decoded == value


@pytest.mark.parametrize(
    "opener", [b"\x91", b"\x81\xa1k", b"\xdc\x00\x01", b"\xdd\x00\x00\x00\x01"]
)
@pytest.mark.parametrize("core", [b"\xc0", LONG], ids=["small", "long"])
def test_the_deepest_message_passes_and_one_level_more_fails(opener: bytes, core: bytes) -> None:
    unpack(nested(DEEPEST, opener, core))

    with pytest.raises(ProtocolFault, match="nests more than"):
        unpack(nested(DEEPEST + 1, opener, core))


def depth(value: Any) -> int:
    if isinstance(value, dict):
        value = list(value.values())
    return 1 + max(map(depth, value), default=0) if isinstance(value, list) else 0


@given(values)
def test_depth_is_counted_as_a_walk_over_the_value_counts_it(value: Any) -> None:
    long = [value, "x" * 5000]
    encoded = msgpack.packb(long)

    assert fits_depth(encoded, depth(long))
    assert not fits_depth(encoded, depth(long) - 1)


@pytest.mark.parametrize("damage", [lambda b: b[:-1], lambda b: b + b"\xc0"], ids=["cut", "more"])
def test_what_is_not_one_whole_value_does_not_fit_any_depth(damage: Any) -> None:
    assert fits_depth(LONG, 0)

    assert not fits_depth(damage(LONG), 0)


def elements(value: Any) -> int:
    if isinstance(value, dict):
        value = list(value.values())
    return len(value) + sum(map(elements, value)) if isinstance(value, list) else 0


@given(values)
def test_elements_are_counted_as_a_walk_over_the_value_counts_them(value: Any) -> None:
    listed = [value]
    encoded = msgpack.packb(listed)

    assert fits_nodes(encoded, elements(listed))
    assert not fits_nodes(encoded, elements(listed) - 1)


def test_a_message_of_as_many_elements_as_allowed_passes_and_one_more_fails() -> None:
    assert len(unpack(array(MAX_NODES, b"\xc0" * MAX_NODES))[0]) == MAX_NODES

    with pytest.raises(ProtocolFault, match="more than 1048576 elements"):
        unpack(array(MAX_NODES + 1, b"\xc0" * (MAX_NODES + 1)))


@pytest.mark.parametrize(
    "core",
    [
        b"\xcc\xff" * 300,
        b"\xd1\x80\x00" * 300,
        b"\xca\x00\x00\x00\x00" * 300,
        b"\xcb" * 9 * 300,
        b"\xc4\x03abc" * 300,
        b"\xc5\x00\x03abc" * 300,
        b"\xdb\x00\x00\x00\x01a" * 300,
        b"\xa5\x90\x90\x90\x90\x90" * 300,
    ],
)
def test_bytes_within_numbers_and_texts_are_no_elements(core: bytes) -> None:
    encoded = array(300, core)

    assert fits_nodes(encoded, 300)
    assert not fits_nodes(encoded, 299)


CLAIMS = [
    b"\xdd\xff\xff\xff\xff",
    b"\xdf\xff\xff\xff\xff",
    b"\xdb\xff\xff\xff\xff",
    b"\xc6\xff\xff\xff\xff",
    b"\xc9\xff\xff\xff\xff\x05",
    nested(DEEPEST - 1, b"\xdd\xff\xff\xff\xff", b"\xdd\xff\xff\xff\xff"),
    nested(150, b"\x92", b"\xdd\x00\x00\x00\xff"),
    nested(DEEPEST, b"\xdc\x0f\x00"),
    LONG + nested(DEEPEST - 1, b"\xdd\x00\x30\x00\x00"),
]


@pytest.mark.parametrize("message", CLAIMS)
def test_a_short_message_that_claims_to_be_long_costs_a_few_mebibytes(message: bytes) -> None:
    with allocating_at_most(10 * MIB), pytest.raises(ProtocolFault):
        unpack(message)


def test_lists_nested_in_each_others_last_place_are_counted_together() -> None:
    level = array(1000, b"\xe0" * 999)

    assert fits_nodes(level * 3 + b"\xc0", 3000)
    assert not fits_nodes(level * 3 + b"\xc0", 2999)


def test_millions_of_empty_maps_are_refused_before_any_is_built() -> None:
    message = array(5 * MIB, b"\x80" * (5 * MIB))

    with allocating_at_most(3 * len(message)), pytest.raises(ProtocolFault, match="elements"):
        unpack(message)


@pytest.mark.parametrize(
    "extension",
    [
        b"\xd4\x05\x00",
        b"\xd6\xff\x00\x00\x00\x00",
        b"\xd7\xff\x00\x00\x00\x00\x00\x00\x00\x00",
        b"\xd8\x05" + b"\x00" * 16,
        b"\xc7\x00\x05",
        b"\xc7\x00\xff",
        b"\xc7\x0c\xff" + b"\x00" * 12,
        b"\xc8\x00\x01\x05\x00",
        b"\xc9\x00\x00\x00\x00\x05",
    ],
)
def test_an_extension_type_is_a_fault_timestamps_too(extension: bytes) -> None:
    for message in (extension, b"\x92" + LONG + extension):
        with pytest.raises(ProtocolFault):
            unpack(message)


@pytest.mark.parametrize("is_enabled", [True, False])
@pytest.mark.parametrize("count", [10, 100_000])
@pytest.mark.parametrize("item", [b"\x90", b"\xc1"], ids=["sound", "malformed"])
def test_the_host_collects_garbage_as_before_and_never_while_a_value_is_built(
    is_enabled: bool, count: int, item: bytes
) -> None:
    collections = []
    was_enabled = gc.isenabled()
    (gc.enable if is_enabled else gc.disable)()
    gc.callbacks.append(lambda phase, info: collections.append(info["generation"]))
    try:
        with suppress(ProtocolFault):
            unpack(array(count, item * count))
        assert gc.isenabled() is is_enabled
    finally:
        gc.callbacks.pop()
        (gc.enable if was_enabled else gc.disable)()

    # One may be due when it is over; on the way there would be hundreds.
    assert len(collections) <= 3


def test_nothing_behind_an_extension_type_is_built() -> None:
    # To a count that takes the type's data for a text header, the rest is one text.
    hidden = array(MAX_NODES, b"\x80" * MAX_NODES)
    message = b"\x93" + b"\xd4\x05\xdb" + hidden + b"\xc0"

    with allocating_at_most(3 * len(message)), pytest.raises(ProtocolFault, match="malformed"):
        unpack(message)


@pytest.mark.parametrize(
    "text", [b"\xa1\xff", b"\xa3\xed\xa0\x80", b"\xa2\xc0\x80", b"\xd9\x01\x80"]
)
def test_a_text_that_is_not_utf_8_is_a_fault(text: bytes) -> None:
    for message in (text, b"\x81" + text + b"\xc0"):
        with pytest.raises(ProtocolFault, match="UnicodeDecodeError"):
            unpack(message)


@pytest.mark.parametrize(
    "key", [b"\x01", b"\xc0", b"\xc3", b"\xc4\x01k", b"\xcb" + bytes(8), b"\x90"]
)
def test_a_key_that_is_not_text_is_a_fault(key: bytes) -> None:
    with pytest.raises(ProtocolFault):
        unpack(b"\x81" + key + b"\xc0")


@pytest.mark.parametrize("message", [b"", b"\xc1", b"\xa5abc", b"\xc0\xc0"])
def test_what_is_not_one_value_is_a_fault(message: bytes) -> None:
    with pytest.raises(ProtocolFault, match="malformed"):
        unpack(message)
