"""What a decoded value takes of the host's memory.

Far more than its bytes on the wire: an empty list is one byte there and 64 here, a text of one
emoji and much ASCII takes four bytes a character. No I/O, no knowledge of messages.
"""

from __future__ import annotations

from sys import getsizeof
from typing import Any, Final

_CONTAINERS: Final = frozenset({list, dict})


def footprint_bytes(value: Any) -> int:
    """Bytes that a value made by `pool.wire.budgets.unpack` takes, all its parts included.

    Parts that the decoder shares, small numbers and repeated keys, count each time.
    """
    total = getsizeof(value)
    containers = [value] if type(value) in _CONTAINERS else []
    while containers:
        parts = containers.pop()
        if type(parts) is dict:
            total += sum(map(getsizeof, parts))
            parts = parts.values()
        total += sum(map(getsizeof, parts))
        containers += [part for part in parts if type(part) in _CONTAINERS]
    return total
