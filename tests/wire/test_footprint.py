"""What a value is said to take is about what Python's allocator gives it."""

from __future__ import annotations

import tracemalloc

import msgpack
import pytest

from pool.wire.budgets import unpack

COUNT = 2_000

# One character makes a text take four bytes for each; a small number takes its place alone.
LEAST, MOST = 0.24, 8.5

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
    "small numbers": [number % 100 for number in range(COUNT)],
    "records": [{"id": n, "name": f"name {n}", "tags": ["a", "b"]} for n in range(COUNT)],
    "bytes alone": bytes(COUNT),
}


@pytest.mark.parametrize("value", VALUES.values(), ids=list(VALUES))
def test_a_value_counts_for_about_what_it_takes(value: object) -> None:
    encoded = msgpack.packb(value)
    unpack(encoded)  # Python's table of keys grows here
    tracemalloc.start()
    decoded = unpack(encoded)
    taken_bytes, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert LEAST * taken_bytes <= decoded[1] <= MOST * taken_bytes
