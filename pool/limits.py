"""Every number a run is held to, with its unit, default and reason.

Nothing here acts. A `Limits` given to a pool says what its runs may use; one given to a run
may only lower it (`Limits.lowered`). Fields that were not given take the pool's value, so
`Limits(timeout_ms=500)` changes the time and nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Self

from pool.errors import LimitError

KIB = 1024
MIB = 1024 * 1024

# Longest time-out of the options line and of timers that take a signed 32-bit value.
MAX_TIMEOUT_MS = 2_147_483_647

# More than any machine has, and a number of bytes that system calls take.
MAX_MEMORY_MIB = 1_048_576

# A frame carries one value and its envelope; the envelope is small and fixed.
ENVELOPE_BYTES = 64 * KIB

# UTF-8 needs at most three bytes for one UTF-16 unit.
BYTES_PER_CHAR = 3

# Levels of nesting of one value, in both directions. msgpack for Python stops at about 1,000.
MAX_DEPTH = 200

# Elements of one message: an empty map is one byte on the wire and 64 in Python. As many as the
# largest argument has of 16 bytes each, a short text with its key; then a message takes at most
# about 150 MiB for a moment (docs/decisions/0008-what-a-message-costs-the-host.md).
MAX_NODES = 1_048_576

# Store values and their sum, in UTF-16 units of keys and compact JSON text.
STORE_VALUE_CHARS = 262_144
STORE_TOTAL_CHARS = 1_048_576


class _Default(int):
    """A number nobody gave: the pool's own value stands in for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one run may use.

    Every field is a positive whole number, except `max_output_tokens`, which may be 0.

    Attributes:
        timeout_ms: Wall time from the request to the outcome, the wait for a worker included.
        memory_mib: Everything the program allocates: heap, strings, buffers.
        max_output_tokens: Text shown to a model, in tokens of four characters.
        calls: Tool calls of one run; one more rejects.
        calls_in_flight: Tool calls that run at once; more wait.
        argument_bytes: Encoded argument of one call.
        result_bytes: Encoded result of one call.
        source_bytes: UTF-8 source of one program.
        output_chars: UTF-16 units of output, console, returned value and image data together.
        output_items: Calls of `text`, `image` and `console.*` together.
        output_bytes: JSON text of a durable run's result.

    Raises:
        LimitError: A value is not a whole number in range.
    """

    timeout_ms: int = _Default(600_000)
    memory_mib: int = _Default(256)
    max_output_tokens: int = _Default(10_000)
    calls: int = _Default(100_000)
    calls_in_flight: int = _Default(64)
    argument_bytes: int = _Default(16 * MIB)
    result_bytes: int = _Default(32 * MIB)
    source_bytes: int = _Default(1 * MIB)
    output_chars: int = _Default(16_777_216)
    output_items: int = _Default(100_000)
    output_bytes: int = _Default(1 * MIB)

    def __post_init__(self) -> None:
        for field in fields(self):
            _check(field.name, getattr(self, field.name))

    def lowered(self, wanted: Limits | None) -> Self:
        """These limits with the given fields of `wanted` in their place.

        Raises:
            LimitError: A given field is above this one; the message names both numbers.
        """
        if wanted is None:
            return self
        given = wanted.given()
        for name, value in given.items():
            ceiling = getattr(self, name)
            if value > ceiling:
                raise LimitError(f"{name} is {value}, the pool allows at most {ceiling}")
        return replace(self, **given)

    def given(self) -> dict[str, int]:
        """The fields that were given, by name."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in values.items() if not isinstance(value, _Default)}


def _check(name: str, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise LimitError(f"{name} must be a whole number, not {value!r}")
    lowest = 0 if name == "max_output_tokens" else 1
    if value < lowest:
        raise LimitError(f"{name} is {value}, the least is {lowest}")
    if name == "timeout_ms" and value > MAX_TIMEOUT_MS:
        raise LimitError(f"timeout_ms is {value}, the most is {MAX_TIMEOUT_MS}")
    if name == "memory_mib" and value > MAX_MEMORY_MIB:
        raise LimitError(f"memory_mib is {value}, the most is {MAX_MEMORY_MIB}")
