from __future__ import annotations

import pytest

from pool.program.readable import readable


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("text", "text"),
        (None, "null"),
        (True, "true"),
        (2, "2"),
        (2.0, "2"),
        (1e20, "100000000000000000000"),
        (1e21, "1e+21"),
        (-0.0, "0"),
        (float("nan"), "NaN"),
        ([float("inf"), -float("inf")], "[Infinity,-Infinity]"),
        ({"é": ["\n", None]}, '{"é":["\\n",null]}'),
        (b"", "Uint8Array(0) []"),
        (b"\x89PNG", "Uint8Array(4) [137, 80, 78, 71]"),
        ({"b": bytes(17)}, '{"b":"Uint8Array(17) [' + "0, " * 16 + '… 1 more]"}'),
    ],
)
def test_a_returned_value_reads_as_in_javascript(value: object, shown: str) -> None:
    assert readable(value) == shown
