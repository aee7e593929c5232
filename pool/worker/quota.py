"""What a run has used of its output and store limits, counted again on the host.

The worker counts first, so that a program gets its error where it stands; this count is the one
that holds. Characters are UTF-16 units, as JavaScript counts them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from pool.errors import ProtocolFault
from pool.limits import STORE_TOTAL_CHARS, STORE_VALUE_CHARS, Limits
from pool.program.outcome import to_json
from pool.wire.messages import Console, Image, Store, Text

# JSON text per byte of msgpack, at most: two bytes of no bytes are 14 characters with a comma.
_JSON_CHARS_PER_BYTE: Final = 7


def utf16_length(text: str) -> int:
    """Length of a text as JavaScript counts it."""
    if text.isascii():
        return len(text)
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


class OutputQuota:
    """Characters and items of one run.

    Attributes:
        items: Output messages taken.
        chars: UTF-16 units taken; images count as base64 text.
    """

    __slots__ = ("_limits", "chars", "items")

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self.items = 0
        self.chars = 0

    def take(self, message: Text | Image | Console) -> bool:
        """Count one message; False when it is one too many."""
        match message:
            case Image():
                self.chars += (len(message.data) + 2) // 3 * 4
            case _:
                self.chars += utf16_length(message.text)
        self.items += 1
        limits = self._limits
        return self.items <= limits.output_items and self.chars <= limits.output_chars

    def holds_value(self, value: Any, encoded_bytes: int) -> bool:
        """Whether the returned value fits beside what was put out."""
        left = self._limits.output_chars - self.chars
        if isinstance(value, str):
            return utf16_length(value) <= left
        if encoded_bytes * _JSON_CHARS_PER_BYTE <= left:
            return True
        text = json.dumps(to_json(value), ensure_ascii=False, separators=(",", ":"))
        return utf16_length(text) <= left


class StoreQuota:
    """The branch's store as one run sees it.

    Args:
        committed: The branch's values as compact JSON text, by key.
    """

    __slots__ = ("_committed",)

    def __init__(self, committed: Mapping[str, str]) -> None:
        self._committed = committed

    def check(self, changes: Store) -> None:
        """Check a run's changes against the limits of the branch.

        Raises:
            ProtocolFault: A value is no JSON text, or it or all together are above their limit; the
                worker let it pass.
        """
        if any(utf16_length(text) > STORE_VALUE_CHARS for text in changes.set.values()):
            raise ProtocolFault(f"a stored value has more than {STORE_VALUE_CHARS} characters")
        after = {**self._committed, **changes.set}
        for key in changes.delete:
            after.pop(key, None)
        total = sum(utf16_length(key) + utf16_length(text) for key, text in after.items())
        if changes.set and total > STORE_TOTAL_CHARS:
            raise ProtocolFault(f"the store has more than {STORE_TOTAL_CHARS} characters")
        # Last, because it takes longest: a frame holds a million values, the store never does.
        if not all(map(_is_json, changes.set.values())):
            raise ProtocolFault("a stored value is not JSON text")


def _is_json(text: str) -> bool:
    try:
        _STRICT.decode(text)
    except (ValueError, RecursionError):
        return False
    return True


def _refuse_constant(name: str) -> None:
    # Python reads NaN and infinities where JSON has none.
    raise ValueError(name)


# Made once: a store may hold 100,000 values.
_STRICT: Final = json.JSONDecoder(parse_constant=_refuse_constant)
