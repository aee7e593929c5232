"""How each message lies in its msgpack array: decoding and encoding, as data and two loops.

    [tag, kind, field, …]

Fields beyond the known ones are ignored, everything else unexpected is a `ProtocolFault`. The
tables of `docs/protocol.md` and the ones here say the same; a test compares them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, Final, TypeAlias, assert_never

import msgpack

from pool.errors import ProtocolFault
from pool.wire.messages import (
    NO_RUN,
    Answer,
    Ask,
    Call,
    Console,
    End,
    FromHost,
    FromWorker,
    GuestError,
    Hello,
    How,
    Idle,
    Image,
    Kind,
    Level,
    Note,
    Question,
    Ready,
    Settle,
    Start,
    Store,
    Text,
    Warm,
)

# Eight levels of causes and members (spec S-10), with room for how the guest nests them.
_MAX_ERROR_NESTING: Final = 12


class _Unfit(Exception):
    """A field is not what it should be; the text says what that is."""


_Field: TypeAlias = Callable[[Any], Any]


def decode(body: Any) -> FromWorker:
    """Read one message of a worker from its decoded array.

    Args:
        body: What msgpack made of the frame's bytes.

    Raises:
        ProtocolFault: Unknown kind, missing field, a field of the wrong type, or a tag where none
            belongs.
    """
    if not isinstance(body, list) or len(body) < 2:
        raise ProtocolFault("a message is an array of a tag, a kind and fields")
    tag, kind = body[0], body[1]
    if not _is_count(tag):
        raise ProtocolFault("a tag is an unsigned integer")
    layout = _LAYOUTS.get(kind) if type(kind) is int else None
    if layout is None:
        raise ProtocolFault(f"unknown message kind {kind!r:.40}")
    build, fields = layout
    if len(body) < 2 + len(fields):
        raise ProtocolFault(f"{Kind(kind).name} has too few fields")
    number = 2
    values: list[Any] = []
    try:
        for read in fields:
            values.append(read(body[number]))
            number += 1
    except _Unfit as unfit:
        raise ProtocolFault(f"field {number} of {Kind(kind).name} is not {unfit}") from None
    if kind in _OUTSIDE_RUNS:
        if tag != NO_RUN:
            raise ProtocolFault(f"{Kind(kind).name} with the tag of a run")
        return build(*values)
    if tag == NO_RUN:
        raise ProtocolFault(f"{Kind(kind).name} with the tag of no run")
    return build(tag, *values)


def _is_count(value: Any) -> bool:
    return type(value) is int and value >= 0


def _anything(value: Any) -> Any:
    return value


def _text(value: Any) -> str:
    if type(value) is not str:
        raise _Unfit("text")
    return value


def _bytes(value: Any) -> bytes:
    if type(value) is not bytes:
        raise _Unfit("bytes")
    return value


def _count(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise _Unfit("an unsigned integer")
    return value


def _texts(value: Any) -> tuple[str, ...]:
    if type(value) is not list or not all(type(item) is str for item in value):
        raise _Unfit("a list of texts")
    return tuple(value)


def _text_map(value: Any) -> dict[str, str]:
    if type(value) is not dict or not all(type(k) is type(v) is str for k, v in value.items()):
        raise _Unfit("a map of texts")
    return value


def _optional_value(value: Any) -> tuple[Any, ...]:
    if type(value) is not list or len(value) > 1:
        raise _Unfit("a list of at most one value")
    return tuple(value)


def _one_of(members: type[StrEnum]) -> _Field:
    known = {str(member): member for member in members}

    def read(value: Any) -> StrEnum:
        member = known.get(value) if type(value) is str else None
        if member is None:
            raise _Unfit(f"one of {', '.join(known)}")
        return member

    return read


def _lines(value: Any) -> dict[int, int]:
    if type(value) is not list or not all(
        type(pair) is list and len(pair) == 2 and all(map(_is_count, pair)) for pair in value
    ):
        raise _Unfit("a list of pairs of unsigned integers")
    return dict(value)


def _error(value: Any) -> GuestError | None:
    return None if value is None else _guest_error(value, 0)


def _guest_error(value: Any, depth: int) -> GuestError:
    if not isinstance(value, dict) or depth > _MAX_ERROR_NESTING:
        raise ProtocolFault("an error is a map of bounded nesting")
    name, message, stack = value.get("name"), value.get("message"), value.get("stack", "")
    line, column = value.get("line"), value.get("column")
    cause, errors = value.get("cause"), value.get("errors", [])
    if not (isinstance(name, str) and isinstance(message, str) and isinstance(stack, str)):
        raise ProtocolFault("an error has name, message and stack as texts")
    if not all(position is None or _is_count(position) for position in (line, column)):
        raise ProtocolFault("line and column are unsigned integers")
    if not isinstance(errors, list):
        raise ProtocolFault("the members of an aggregate are a list")
    return GuestError(
        name=name,
        message=message,
        stack=stack,
        line=line,
        column=column,
        cause=None if cause is None else _guest_error(cause, depth + 1),
        errors=tuple(_guest_error(member, depth + 1) for member in errors),
    )


_LAYOUTS: Final[Mapping[int, tuple[Callable[..., FromWorker], tuple[_Field, ...]]]] = {
    Kind.HELLO: (Hello, (_count, _text, _text, _text, _text)),
    Kind.READY: (Ready, (_count,)),
    Kind.TEXT: (Text, (_text,)),
    Kind.IMAGE: (Image, (_text, _bytes)),
    Kind.CONSOLE: (Console, (_one_of(Level), _text)),
    Kind.CALL: (Call, (_count, _text, _anything)),
    Kind.ASK: (Ask, (_count, _one_of(Question), _anything)),
    Kind.IDLE: (Idle, (_count,)),
    Kind.STORE: (Store, (_text_map, _texts)),
    Kind.END: (End, (_one_of(How), _optional_value, _error, _texts, _count, _count, _lines)),
    Kind.NOTE: (Note, (_text,)),
}
_OUTSIDE_RUNS: Final = frozenset({Kind.HELLO, Kind.READY})


def encode(message: FromHost) -> bytes:
    """The body of one host message; `frames.frame` puts the length in front.

    The first eleven bytes are always array header, `uint 64` tag and kind, so that a reader can
    tell the kind of a frame before it has the rest.
    """
    match message:
        case Start():
            fields = [
                message.source,
                message.catalog.text,
                dict(message.store),
                dict(message.limits),
                message.code,
            ]
            return _prelude(message.tag, Kind.START, len(fields)) + b"".join(
                map(msgpack.packb, fields)
            )
        case Settle(tag, index, ok, payload):
            return _prelude(tag, Kind.SETTLE, 3) + _numbered(index, ok) + payload
        case Answer(tag, id_, ok, payload):
            return _prelude(tag, Kind.ANSWER, 3) + _numbered(id_, ok) + payload
        case Warm():
            return _prelude(NO_RUN, Kind.WARM, 0)
        case _:
            assert_never(message)


def _prelude(tag: int, kind: Kind, fields: int) -> bytes:
    return b"%c\xcf%b%c" % (0x92 + fields, tag.to_bytes(8, "big"), kind)


def _numbered(index: int, ok: bool) -> bytes:
    number: bytes = msgpack.packb(index)
    return number + (b"\xc3" if ok else b"\xc2")
