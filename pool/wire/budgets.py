"""What one message may turn into: msgpack bytes to plain values, within depth and element budgets.

An attacker's message is small and claims to be large: nested lists that each announce millions of
elements, maps of one byte that take 64 in Python. So the bytes are looked at first, and nothing is
built of a message that is over a budget. No I/O, no clock, no knowledge of messages.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import msgpack

from pool.errors import ProtocolFault
from pool.limits import MAX_DEPTH, MAX_NODES

# The message array, END's value array, and one level for what a later version wraps around them.
_ENVELOPE_DEPTH: Final = 3

# Bytes that open an array or a map; inside texts and numbers they may stand for something else.
_OPENERS: Final = bytes([*range(0x80, 0xA0), *range(0xDC, 0xE0)])

_SHORT_ARRAYS: Final = tuple(bytes([first]) for first in range(0x90, 0xA0))

# Those and the bytes that begin an extension type.
_UNCOMMON: Final = bytes([*_OPENERS, *range(0xC7, 0xCA), *range(0xD4, 0xD9)])

# Up to here even a chain of containers that all claim the whole message costs only a few MiB.
_SMALL_BYTES: Final = 4096

# Room one part takes in Python: an empty list, a short text, a number and the place it stands at.
_PART_BYTES: Final = 64

# A map with something in it is three parts, and each of its entries as many: key, place and value.
_MAP_PARTS: Final = 2
_ENTRY_PARTS: Final = 3

# First buffer of the parser that only skips: room for the padding, no more to allocate.
_SKIP_BUFFER_BYTES: Final = 2048

# Bytes of the length or count that follows a first byte.
_FIELD_BYTES: Final = (
    {0xC4: 1, 0xC5: 2, 0xC6: 4}  # bin
    | {0xD9: 1, 0xDA: 2, 0xDB: 4}  # str
    | {0xDC: 2, 0xDD: 4, 0xDE: 2, 0xDF: 4}  # array, map
)

# Bytes of a whole number or float by its first byte.
_NUMBER_BYTES: Final = (
    {0xCA: 5, 0xCB: 9}  # float
    | {0xCC: 2, 0xCD: 3, 0xCE: 5, 0xCF: 9}  # uint
    | {0xD0: 2, 0xD1: 3, 0xD2: 5, 0xD3: 9}  # int
)


def unpack(body: bytes) -> tuple[Any, int]:
    """Decode one msgpack value that fills `body`, within the depth and element budgets.

    Returns:
        The value, and about how many bytes of memory it takes: a quarter of the truth at worst, for
        a text that one character makes wide; twice the truth for records.

    Raises:
        ProtocolFault: Malformed, too deep, too many elements, an extension type, or a key that
            is not text.
    """
    if len(body) <= _SMALL_BYTES and body.startswith(_SHORT_ARRAYS):
        # The message is such an array itself; with nothing else uncommon in it, it is flat.
        if len(body) - len(body.translate(None, _UNCOMMON)) == 1:
            return _flat(body)
    if not fits_depth(body, MAX_DEPTH + _ENVELOPE_DEPTH):
        raise ProtocolFault(f"a message that nests more than {MAX_DEPTH} levels or is cut short")
    if not fits_nodes(body, MAX_NODES):
        raise ProtocolFault(f"a message of more than {MAX_NODES} elements")
    parts = _Parts()
    if len(body) <= _SMALL_BYTES:
        value = _build(body, parts)
    else:
        with _no_collection():
            value = _build(body, parts)
    return value, len(body) + parts.count * _PART_BYTES


def _flat(body: bytes) -> tuple[Any, int]:
    """As `unpack`, of an array without containers or extensions in it; most messages are one.

    It takes a third of the time: no hooks to look at what there cannot be.
    """
    try:
        value = msgpack.unpackb(body)
    except (ValueError, msgpack.UnpackException) as error:
        raise ProtocolFault(f"malformed message: {type(error).__name__}") from error
    return value, len(body) + len(value) * _PART_BYTES


def _build(body: bytes, parts: _Parts) -> Any:
    try:
        return msgpack.unpackb(
            body,
            # An element takes a byte at least.
            max_array_len=len(body),
            max_map_len=len(body),
            max_ext_len=0,
            strict_map_key=True,
            object_hook=parts.of_map,
            list_hook=parts.of_list,
            ext_hook=_refuse_extension,
        )
    except (ValueError, msgpack.UnpackException) as error:
        raise ProtocolFault(f"malformed message: {type(error).__name__}") from error


@contextmanager
def _no_collection() -> Iterator[None]:
    """Keep Python from looking for cycles while only tree-shaped values are built.

    A million lists made it look through all of them again and again: 1.4 s instead of 0.3.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


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


def fits_nodes(encoded: bytes, nodes: int) -> bool:
    """Whether the containers of a msgpack value have at most `nodes` elements together.

    Counting while decoding comes too late: of lists nested in each other's last place, none is
    complete before all are built. An element takes a byte, so only what is longer than `nodes` is
    looked at, and only until the rest is shorter than what is left of the budget.

    Extension types are not known here. Behind one the count is wrong, but the decoder builds
    nothing either: it stops there.
    """
    at, left = 0, nodes
    while len(encoded) - at > left:
        first = encoded[at]
        size = _SIZES[first]
        if size:
            at += size
            continue
        width = _FIELD_BYTES.get(first, 0)
        at += 1 + width
        number = int.from_bytes(encoded[at - width : at], "big") if width else first & 0x0F
        if first not in _OPENERS:
            at += number
            continue
        left -= number
        if left < 0:
            return False
    return True


def _sizes() -> bytes:
    """Bytes of a value by its first byte; 0 for those that a length or a count belongs to."""
    sizes = bytearray(b"\x01" * 256)
    sizes[0xA0:0xC0] = range(1, 33)
    for first, size in _NUMBER_BYTES.items():
        sizes[first] = size
    for first in (*_FIELD_BYTES, *_OPENERS):
        sizes[first] = 0
    return bytes(sizes)


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


_SIZES: Final = _sizes()
_PARSER_LEVELS: Final = _parser_levels()


class _Parts:
    """Sees every container that is decoded, and counts what there is in it."""

    __slots__ = ("count",)

    def __init__(self) -> None:
        self.count = 0

    def of_list(self, value: list[Any]) -> list[Any]:
        self.count += len(value)
        return value

    def of_map(self, value: dict[Any, Any]) -> dict[Any, Any]:
        for key in value:
            if type(key) is not str:
                raise ProtocolFault("a key of a map is not text")
        if value:
            self.count += _MAP_PARTS + _ENTRY_PARTS * len(value)
        return value


def _refuse_extension(code: int, data: bytes) -> Any:
    raise ProtocolFault(f"extension type {code}")
