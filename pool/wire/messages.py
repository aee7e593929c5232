"""The typed messages of both directions.

A message is a msgpack array `[tag, kind, field, …]`. The tag is 64 random bits that the host
draws for each run; 0 stands outside runs. A newer side may append fields: what comes after the
known ones is ignored. Anything else unexpected is a `ProtocolFault`. `docs/protocol.md` has the
table of every message and the order in which they may come.

No I/O, no clock. Values of programs stay plain msgpack values here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Any, Final, TypeVar

import msgpack

from pool.errors import ProtocolFault

PROTOCOL_VERSION: Final = 1

NO_RUN: Final = 0


class Kind(IntEnum):
    """What a message is. Below 16 the worker speaks, from 16 on the host."""

    HELLO = 1
    READY = 2
    TEXT = 3
    IMAGE = 4
    CONSOLE = 5
    CALL = 6
    ASK = 7
    IDLE = 8
    STORE = 9
    END = 10
    START = 16
    SETTLE = 17
    ANSWER = 18
    WARM = 19


class Level(StrEnum):
    """Which console method was called; the ones not listed report as `log`."""

    LOG = "log"
    INFO = "info"
    WARN = "warn"
    ERROR = "error"
    DEBUG = "debug"


class Question(StrEnum):
    """What a program may ask about the frozen catalogue. Not a tool call."""

    SEARCH = "search"
    DESCRIBE = "describe"
    NAMESPACE = "namespace"


class How(StrEnum):
    """How a program ended, as the worker saw it."""

    COMPLETED = "completed"
    EXITED = "exited"
    THREW = "threw"
    REFUSED = "refused"
    STALLED = "stalled"
    TOO_LARGE = "too_large"


@dataclass(frozen=True, slots=True)
class Hello:
    """First message of a worker: who it is. Sent once, outside runs."""

    protocol: int
    deno: str
    v8: str
    time_zone: str
    locale: str


@dataclass(frozen=True, slots=True)
class Ready:
    """A fresh context stands ready: the worker can take a run. After boot and after each run."""

    runs: int


@dataclass(frozen=True, slots=True)
class Text:
    tag: int
    text: str


@dataclass(frozen=True, slots=True)
class Image:
    """A decoded image; the type was sniffed in the worker and is sniffed again on the host."""

    tag: int
    mime_type: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Console:
    tag: int
    level: Level
    text: str


@dataclass(frozen=True, slots=True)
class Call:
    """The program calls a tool by its canonical name; `index` counts 0, 1, 2 …"""

    tag: int
    index: int
    name: str
    argument: Any


@dataclass(frozen=True, slots=True)
class Ask:
    """A question about the catalogue; `id` counts 0, 1, 2 … apart from calls."""

    tag: int
    id: int
    question: Question
    argument: Any


@dataclass(frozen=True, slots=True)
class Idle:
    """Every microtask has run; the worker waits for the next message.

    Attributes:
        delivered: SETTLE and ANSWER messages taken so far in this run.
    """

    tag: int
    delivered: int


@dataclass(frozen=True, slots=True)
class Store:
    """Store changes of a program that succeeded; values are compact JSON text. Before END."""

    tag: int
    set: Mapping[str, str]
    delete: Sequence[str]


@dataclass(frozen=True, slots=True)
class GuestError:
    """What was thrown, described by the guest realm; nothing in it is trusted.

    Attributes:
        name: `name` of an Error; `Thrown` for any other value.
        message: Its message, or the readable form of the value.
        stack: Frames of `program.js` only.
        line: Line in `program.js`, from 1; None when unknown.
        column: Column from 1, in UTF-16 units.
    """

    name: str
    message: str
    stack: str
    line: int | None
    column: int | None
    cause: GuestError | None
    errors: tuple[GuestError, ...]


@dataclass(frozen=True, slots=True)
class End:
    """The program is over. Nothing it does later counts.

    Attributes:
        value: One-element tuple with the returned value; empty when there is none.
        error: For `THREW`, `REFUSED`, `STALLED` and `TOO_LARGE`.
        notes: Sentences about things nobody waited for.
        items: TEXT, IMAGE and CONSOLE messages sent.
        calls: CALL messages sent.
    """

    tag: int
    how: How
    value: tuple[Any, ...]
    error: GuestError | None
    notes: tuple[str, ...]
    items: int
    calls: int


@dataclass(frozen=True, slots=True)
class CatalogEntry:
    """One callable tool as the program sees it."""

    identifier: str
    name: str
    description: str


@dataclass(frozen=True, slots=True)
class Start:
    """Compile and run one program in the prepared context.

    Attributes:
        source: Body of an async function, positions as the caller wrote them.
        catalog: Tools this run may call.
        store: The branch's committed values as compact JSON text.
        limits: What the worker enforces itself: `calls`, `argument_bytes`, `output_chars`,
            `output_items`.
    """

    tag: int
    source: str
    catalog: Sequence[CatalogEntry]
    store: Mapping[str, str]
    limits: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Settle:
    """Outcome of a call. `payload` is one encoded msgpack value: the result, or
    `{"name", "message"}` of the error the call rejects with."""

    tag: int
    index: int
    ok: bool
    payload: bytes


@dataclass(frozen=True, slots=True)
class Answer:
    """Answer to an ASK; `payload` as in `Settle`."""

    tag: int
    id: int
    ok: bool
    payload: bytes


@dataclass(frozen=True, slots=True)
class Warm:
    """Run the warm-up program in a throw-away context; answered by READY."""


FromWorker = Hello | Ready | Text | Image | Console | Call | Ask | Idle | Store | End
FromHost = Start | Settle | Answer | Warm

_Type = TypeVar("_Type")
_Member = TypeVar("_Member", bound=StrEnum)

# Eight levels of causes and members (spec S-10), with room for how the guest nests them.
_MAX_ERROR_NESTING: Final = 12


def decode(body: Any) -> FromWorker:
    """Read one message of a worker from its decoded array.

    Args:
        body: What msgpack made of the frame's bytes.

    Raises:
        ProtocolFault: Unknown kind, missing field, or a field of the wrong type.
    """
    if not isinstance(body, list) or len(body) < 2:
        raise ProtocolFault("a message is an array of a tag, a kind and fields")
    tag, kind = body[0], body[1]
    if not _is_count(tag):
        raise ProtocolFault("a tag is an unsigned integer")
    read = _READERS.get(kind) if isinstance(kind, int) else None
    if read is None:
        raise ProtocolFault(f"unknown message kind {kind!r:.40}")
    return read(tag, _Fields(Kind(kind), body))


class _Fields:
    """Typed access to the fields of one message, in order."""

    __slots__ = ("_body", "_kind", "_next")

    def __init__(self, kind: Kind, body: list[Any]) -> None:
        self._kind = kind
        self._body = body
        self._next = 2

    def take(self) -> Any:
        if self._next >= len(self._body):
            raise ProtocolFault(f"{self._kind.name} has too few fields")
        value = self._body[self._next]
        self._next += 1
        return value

    def text(self) -> str:
        return self._expect(self.take(), str, "text")

    def bytes(self) -> bytes:
        return self._expect(self.take(), bytes, "bytes")

    def count(self) -> int:
        value = self.take()
        if not _is_count(value):
            raise self._wrong("an unsigned integer")
        return int(value)

    def texts(self) -> tuple[str, ...]:
        values = self._expect(self.take(), list, "a list")
        if not all(isinstance(value, str) for value in values):
            raise self._wrong("a list of texts")
        return tuple(values)

    def text_map(self) -> dict[str, str]:
        values = self._expect(self.take(), dict, "a map")
        if not all(isinstance(k, str) and isinstance(v, str) for k, v in values.items()):
            raise self._wrong("a map of texts")
        return values

    def member(self, members: type[_Member]) -> _Member:
        value = self.take()
        for member in members:
            if member == value:
                return member
        raise self._wrong(f"one of {', '.join(members)}")

    def optional_value(self) -> tuple[Any, ...]:
        values = self._expect(self.take(), list, "a list")
        if len(values) > 1:
            raise self._wrong("a list of at most one value")
        return tuple(values)

    def error(self) -> GuestError | None:
        value = self.take()
        return None if value is None else _guest_error(value, 0)

    def _expect(self, value: Any, kind: type[_Type], what: str) -> _Type:
        if not isinstance(value, kind):
            raise self._wrong(what)
        return value

    def _wrong(self, what: str) -> ProtocolFault:
        return ProtocolFault(f"field {self._next - 1} of {self._kind.name} is not {what}")


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


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


_READERS: Final[Mapping[int, Callable[[int, _Fields], FromWorker]]] = {
    Kind.HELLO: lambda tag, f: Hello(f.count(), f.text(), f.text(), f.text(), f.text()),
    Kind.READY: lambda tag, f: Ready(f.count()),
    Kind.TEXT: lambda tag, f: Text(tag, f.text()),
    Kind.IMAGE: lambda tag, f: Image(tag, f.text(), f.bytes()),
    Kind.CONSOLE: lambda tag, f: Console(tag, f.member(Level), f.text()),
    Kind.CALL: lambda tag, f: Call(tag, f.count(), f.text(), f.take()),
    Kind.ASK: lambda tag, f: Ask(tag, f.count(), f.member(Question), f.take()),
    Kind.IDLE: lambda tag, f: Idle(tag, f.count()),
    Kind.STORE: lambda tag, f: Store(tag, f.text_map(), f.texts()),
    Kind.END: lambda tag, f: End(
        tag,
        f.member(How),
        f.optional_value(),
        f.error(),
        f.texts(),
        f.count(),
        f.count(),
    ),
}


def encode(message: FromHost) -> bytes:
    """The body of one host message; `frames.frame` puts the length in front.

    The first eleven bytes are always array header, `uint 64` tag and kind, so that a reader can
    tell the kind of a frame before it has the rest.
    """
    match message:
        case Start():
            catalog = [[e.identifier, e.name, e.description] for e in message.catalog]
            fields = [message.source, catalog, dict(message.store), dict(message.limits)]
            return _prelude(message.tag, Kind.START, len(fields)) + b"".join(
                map(msgpack.packb, fields)
            )
        case Settle(tag, index, ok, payload):
            return _prelude(tag, Kind.SETTLE, 3) + _numbered(index, ok) + payload
        case Answer(tag, id_, ok, payload):
            return _prelude(tag, Kind.ANSWER, 3) + _numbered(id_, ok) + payload
        case Warm():
            return _prelude(NO_RUN, Kind.WARM, 0)


def _prelude(tag: int, kind: Kind, fields: int) -> bytes:
    return b"%c\xcf%b%c" % (0x92 + fields, tag.to_bytes(8, "big"), kind)


def _numbered(index: int, ok: bool) -> bytes:
    number: bytes = msgpack.packb(index)
    return number + (b"\xc3" if ok else b"\xc2")
