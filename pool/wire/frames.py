"""Length framing, and the size every frame is held to.

    offset | size | field                        | limit
    0      | 4    | length of the rest, big-endian | largest limit of any kind
    4      | 11   | array header, 0xcf, tag, kind  | see `pool.wire.messages`
    15     |      | fields                         | by kind: `FrameLimits`

The decoder has no I/O and no clock; it is fed bytes and hands out messages. Every byte it sees
is taken for an attacker's: sizes are checked before bytes are kept, nesting and shape before
anything is built from them, and whatever is wrong ends in a `ProtocolFault`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from struct import Struct
from typing import Final

from pool.errors import ProtocolFault
from pool.limits import (
    BYTES_PER_CHAR,
    ENVELOPE_BYTES,
    STORE_TOTAL_CHARS,
    Limits,
)
from pool.wire.budgets import unpack
from pool.wire.layout import decode
from pool.wire.messages import FromWorker, Kind

LENGTH_BYTES: Final = 4
PRELUDE_BYTES: Final = 11
_KIND_OFFSET: Final = LENGTH_BYTES + PRELUDE_BYTES - 1

# Length, header of the array, marker of the tag, and behind the tag's eight bytes the kind.
_HEAD: Final = Struct(">IBB8xB")

# Up to here two copies cost less than a view.
_SMALL_BYTES: Final = 4096

# JSON text can be escaped where the character it counts for is not.
_STORE_ESCAPES: Final = 2

# Consumed bytes are dropped from the buffer in steps of this size, so that many small frames in
# one read do not move the rest of the buffer once per frame.
_COMPACT_BYTES: Final = 64 * 1024


@dataclass(frozen=True, slots=True)
class FrameLimits:
    """Largest frame by kind, in bytes. Follows from the limits of the run."""

    by_kind: Mapping[int, int]

    @classmethod
    def of(cls, limits: Limits) -> FrameLimits:
        argument = limits.argument_bytes + ENVELOPE_BYTES
        output = limits.output_chars * BYTES_PER_CHAR + ENVELOPE_BYTES
        store = STORE_TOTAL_CHARS * BYTES_PER_CHAR * _STORE_ESCAPES + ENVELOPE_BYTES
        return cls(
            {
                Kind.HELLO: ENVELOPE_BYTES,
                Kind.READY: ENVELOPE_BYTES,
                Kind.TEXT: output,
                Kind.IMAGE: output,
                Kind.CONSOLE: output,
                Kind.CALL: argument,
                Kind.ASK: argument,
                Kind.IDLE: ENVELOPE_BYTES,
                Kind.STORE: store,
                Kind.END: output,
                Kind.NOTE: ENVELOPE_BYTES,
            }
        )


def frame(body: bytes) -> bytes:
    """A message's body with its length in front."""
    return len(body).to_bytes(LENGTH_BYTES, "big") + body


class Decoder:
    """Bytes of one worker in, messages out.

    Feeding costs amortised linear time in the bytes fed, whatever their cuts. A fault is for good:
    the stream has no point to resume from, and what is fed afterwards is not kept.

    Attributes:
        frame_bytes: Size of the body of the last message handed out.
        footprint_bytes: About how much memory that message takes.
    """

    __slots__ = ("_buffer", "_fault", "_limits", "_start", "footprint_bytes", "frame_bytes")

    frame_bytes: int
    footprint_bytes: int

    def __init__(self, limits: FrameLimits) -> None:
        self._limits = limits.by_kind
        self._buffer = bytearray()
        self._start = 0
        self._fault: str | None = None
        self.frame_bytes = 0
        self.footprint_bytes = 0

    @property
    def buffered(self) -> int:
        """Bytes fed and not yet handed out."""
        return len(self._buffer) - self._start

    def hold_to(self, limits: FrameLimits) -> None:
        """Use other limits from the next frame on; each run has its own."""
        self._limits = limits.by_kind

    def feed(self, data: bytes) -> None:
        if self._fault is None:
            self._buffer += data

    def next(self) -> FromWorker | None:
        """The next message, or None when more bytes are needed.

        Raises:
            ProtocolFault: A frame is too long for its kind, malformed, or not a message; from then
                on at every call.
        """
        if self._fault is not None:
            raise ProtocolFault(self._fault)
        try:
            return self._take()
        except ProtocolFault as fault:
            self._fault = str(fault)
            self._buffer.clear()
            self._start = 0
            raise

    def _take(self) -> FromWorker | None:
        end = self._end_of_frame()
        if end is None or end > len(self._buffer):
            return None
        begin = self._start + LENGTH_BYTES
        if end - begin <= _SMALL_BYTES:
            body = bytes(self._buffer[begin:end])
        else:
            with memoryview(self._buffer) as view:
                body = bytes(view[begin:end])
        self._start = end
        self._compact()
        self.frame_bytes = len(body)
        value, self.footprint_bytes = unpack(body)
        return decode(value)

    def _end_of_frame(self) -> int | None:
        """Where the frame at hand ends, once its kind is known and its length allowed."""
        start, buffer = self._start, self._buffer
        if len(buffer) - start <= _KIND_OFFSET:
            return None
        length, header, marker, kind = _HEAD.unpack_from(buffer, start)
        limit = self._limits.get(kind)
        if header & 0xF0 != 0x90 or marker != 0xCF or limit is None:
            raise ProtocolFault("bytes that are not the start of a message")
        if not PRELUDE_BYTES <= length <= limit:
            raise ProtocolFault(f"{Kind(kind).name} of {length} bytes, the limit is {limit}")
        end: int = start + LENGTH_BYTES + length
        return end

    def _compact(self) -> None:
        if self._start == len(self._buffer):
            self._buffer.clear()
            self._start = 0
        elif self._start > _COMPACT_BYTES:
            del self._buffer[: self._start]
            self._start = 0
