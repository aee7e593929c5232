"""A returned value in words: what `text()` of the program would have shown of it."""

from __future__ import annotations

import json
from typing import Any, Final

# JavaScript writes whole numbers below this one without exponent and without fraction.
_EXPONENT_FROM: Final = 1e21

# How much of bytes is shown: enough to recognise a file format.
SHOWN_BYTES: Final = 16


def readable(value: Any) -> str:
    """A returned value as `text()` would show it: strings as they are, the rest as JSON."""
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return _bytes(value)
    return json.dumps(_json(value), ensure_ascii=False, separators=(",", ":"))


def _json(value: Any) -> Any:
    match value:
        case bytes():
            return _bytes(value)
        case float() if value.is_integer() and abs(value) < _EXPONENT_FROM:
            return int(value)
        case list():
            return [_json(item) for item in value]
        case dict():
            return {key: _json(item) for key, item in value.items()}
        case _:
            return value


def _bytes(value: bytes) -> str:
    head = [str(byte) for byte in value[:SHOWN_BYTES]]
    if len(value) > SHOWN_BYTES:
        head.append(f"… {len(value) - SHOWN_BYTES} more")
    return f"Uint8Array({len(value)}) [{', '.join(head)}]"
