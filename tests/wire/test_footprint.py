"""What a value takes is counted as Python's allocator counts it, for values made to take much."""

from __future__ import annotations

import tracemalloc

import msgpack
import pytest

from pool.wire.budgets import unpack
from pool.wire.footprint import footprint_bytes

COUNT = 2_000

VALUES = {
    "empty lists": [[] for _ in range(COUNT)],
    "empty maps": [{} for _ in range(COUNT)],
    "maps of one": [{"k": None} for _ in range(COUNT)],
    "lists of one": [[None] for _ in range(COUNT)],
    "nested lists": [[[[[[]]]]] for _ in range(COUNT)],
    "short texts": [f"{number:05}" for number in range(COUNT)],
    "floats": [number / 7 for number in range(COUNT)],
    "wide numbers": [2**40 + number for number in range(COUNT)],
    "bytes": [b"%d" % number for number in range(COUNT)],
    "a map of many keys": {f"{number:05}": None for number in range(COUNT)},
    "a text that one character makes wide": "a" * COUNT + "🎈",
    "bytes alone": bytes(COUNT),
}


@pytest.mark.parametrize("value", VALUES.values(), ids=list(VALUES))
def test_a_value_counts_for_about_what_it_takes(value: object) -> None:
    encoded = msgpack.packb(value)
    unpack(encoded)
    tracemalloc.start()
    decoded = unpack(encoded)
    taken_bytes, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    # A key is kept by Python in a table of its own as well.
    assert 0.6 * taken_bytes <= footprint_bytes(decoded) <= 3 * taken_bytes


@pytest.mark.parametrize("scalar", [None, True, 7, 0.5, "x", b"x"])
def test_a_value_without_parts_takes_something(scalar: object) -> None:
    assert footprint_bytes(scalar) > 0
