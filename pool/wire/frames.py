"""Length framing and the budgets every frame is held to.

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
from typing import Any, Final

import msgpack

from pool.errors import ProtocolFault
from pool.limits import (
    BYTES_PER_CHAR,
    ENVELOPE_BYTES,
    MAX_DEPTH,
    MAX_NODES,
    STORE_TOTAL_CHARS,
    Limits,
)
from pool.wire.messages import FromWorker, Kind, decode

LENGTH_BYTES: Final = 4
PRELUDE_BYTES: Final = 11
_KIND_OFFSET: Final = LENGTH_BYTES + PRELUDE_BYTES - 1

# The message array, END's value array, and one level for what a later version wraps around them.
_ENVELOPE_DEPTH: Final = 3

# JSON text can be escaped where the character it counts for is not.
_STORE_ESCAPES: Final = 2

# Consumed bytes are dropped from the buffer in steps of this size, so that many small frames in
# one read do not move the rest of the buffer once per frame.
_COMPACT_BYTES: Final = 64 * 1024

# Bytes that open an array or a map; inside texts and numbers they may stand for something else.
_OPENERS: Final = bytes([*range(0x80, 0xA0), *range(0xDC, 0xE0)])

# Up to here even a chain of containers that all claim the whole message costs only a few MiB.
_SMALL_BYTES: Final = 4096

# First buffer of the parser that only skips: room for the padding, no more to allocate.
_SKIP_BUFFER_BYTES: Final = 2048


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
            }
        )


def frame(body: bytes) -> bytes:
    """A message's body with its length in front."""
    return len(body).to_bytes(LENGTH_BYTES, "big") + body


class Decoder:
    """Bytes of one worker in, messages out.

    Feeding costs amortised linear time in the bytes fed, whatever their cuts. After a fault the
    decoder is of no more use: the stream has no point to resume from.

    Attributes:
        frame_bytes: Size of the body of the last message handed out.
    """

    __slots__ = ("_buffer", "_limits", "_start", "frame_bytes")

    frame_bytes: int

    def __init__(self, limits: FrameLimits) -> None:
        self._limits = limits.by_kind
        self._buffer = bytearray()
        self._start = 0
        self.frame_bytes = 0

    @property
    def buffered(self) -> int:
        """Bytes fed and not yet handed out."""
        return len(self._buffer) - self._start

    def hold_to(self, limits: FrameLimits) -> None:
        """Use other limits from the next frame on; each run has its own."""
        self._limits = limits.by_kind

    def feed(self, data: bytes) -> None:
        self._buffer += data

    def next(self) -> FromWorker | None:
        """The next message, or None when more bytes are needed.

        Raises:
            ProtocolFault: A frame is too long for its kind, malformed, or not a message.
        """
        end = self._end_of_frame()
        if end is None or end > len(self._buffer):
            return None
        with memoryview(self._buffer) as view:
            body = bytes(view[self._start + LENGTH_BYTES : end])
        self._start = end
        self._compact()
        self.frame_bytes = len(body)
        return decode(unpack(body))

    def _end_of_frame(self) -> int | None:
        """Where the frame at hand ends, once its kind is known and its length allowed."""
        start, buffer = self._start, self._buffer
        if len(buffer) - start <= _KIND_OFFSET:
            return None
        length = int.from_bytes(buffer[start : start + LENGTH_BYTES], "big")
        header, marker, kind = (
            buffer[start + LENGTH_BYTES],
            buffer[start + LENGTH_BYTES + 1],
            buffer[start + _KIND_OFFSET],
        )
        limit = self._limits.get(kind)
        if header & 0xF0 != 0x90 or marker != 0xCF or limit is None:
            raise ProtocolFault("bytes that are not the start of a message")
        if not PRELUDE_BYTES <= length <= limit:
            raise ProtocolFault(f"{Kind(kind).name} of {length} bytes, the limit is {limit}")
        return start + LENGTH_BYTES + length

    def _compact(self) -> None:
        if self._start == len(self._buffer):
            self._buffer.clear()
            self._start = 0
        elif self._start > _COMPACT_BYTES:
            del self._buffer[: self._start]
            self._start = 0


def unpack(body: bytes) -> Any:
    """Decode one msgpack value that fills `body`, within the depth and node budgets.

    Raises:
        ProtocolFault: Malformed, too deep, too many elements, an extension type, or a key that
            is not text.
    """
    if not fits_depth(body, MAX_DEPTH + _ENVELOPE_DEPTH):
        raise ProtocolFault(f"a message that nests more than {MAX_DEPTH} levels or is cut short")
    on_map, on_list = _text_keys, None
    if len(body) > MAX_NODES:
        # Fewer bytes than that cannot hold too many elements.
        budget = _NodeBudget(MAX_NODES)
        on_map, on_list = budget.spend_map, budget.spend_list
    # An element takes a byte at least, so no container has more of them than the message bytes.
    longest = min(MAX_NODES, len(body))
    try:
        return msgpack.unpackb(
            body,
            max_array_len=longest,
            max_map_len=longest,
            max_ext_len=0,
            strict_map_key=True,
            object_hook=on_map,
            list_hook=on_list,
            ext_hook=_refuse_extension,
        )
    except (ValueError, msgpack.UnpackException) as error:
        raise ProtocolFault(f"malformed message: {type(error).__name__}") from error


def fits_depth(encoded: bytes, levels: int) -> bool:
    """Whether `encoded` is one whole msgpack value of at most `levels` nested containers.

    Nothing is built: msgpack skips over the value. Its parser has a fixed stack, so array headers
    put in front of the value lower that stack to the levels wanted. Walking the bytes in Python
    instead takes fifty times as long (docs/decisions/0004-depth-by-the-parsers-own-stack.md).

    Small messages are most messages. One that has fewer bytes that could open a container than
    there are levels is not looked at further: whoever decodes it sees if it is whole.
    """
    if len(encoded) <= _SMALL_BYTES:
        openers = len(encoded) - len(encoded.translate(None, _OPENERS))
        if openers <= levels:
            return True
    unpacker = msgpack.Unpacker(read_size=_SKIP_BUFFER_BYTES, max_buffer_size=0)
    padding = b"\x91" * (_PARSER_LEVELS - levels)
    unpacker.feed(padding)
    unpacker.feed(encoded)
    try:
        unpacker.skip()
    except (ValueError, msgpack.UnpackException):
        return False
    return bool(unpacker.tell() == len(padding) + len(encoded))


def _parser_levels() -> int:
    """How many nested containers msgpack's parser takes before it gives up."""
    levels = 0
    for step in (4096, 1024, 256, 64, 16, 4, 1):
        while _parses(levels + step):
            levels += step
    return levels


def _parses(levels: int) -> bool:
    unpacker = msgpack.Unpacker()
    unpacker.feed(b"\x91" * levels + b"\xc0")
    try:
        unpacker.skip()
    except (ValueError, msgpack.UnpackException):
        return False
    return True


_PARSER_LEVELS: Final = _parser_levels()


def _text_keys(value: dict[Any, Any]) -> dict[Any, Any]:
    for key in value:
        if type(key) is not str:
            raise ProtocolFault("a key of a map is not text")
    return value


class _NodeBudget:
    """Counts the elements of containers as msgpack completes them."""

    __slots__ = ("_left",)

    def __init__(self, nodes: int) -> None:
        self._left = nodes

    def spend_map(self, value: dict[Any, Any]) -> dict[Any, Any]:
        self._spend(len(value))
        return _text_keys(value)

    def spend_list(self, value: list[Any]) -> list[Any]:
        self._spend(len(value))
        return value

    def _spend(self, nodes: int) -> None:
        # A container counts for itself too, or empty ones would be free.
        self._left -= nodes + 1
        if self._left < 0:
            raise ProtocolFault(f"a message of more than {MAX_NODES} elements")


def _refuse_extension(code: int, data: bytes) -> Any:
    raise ProtocolFault(f"extension type {code}")
