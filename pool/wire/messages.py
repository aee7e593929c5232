"""The typed messages of both directions.

A message is a msgpack array `[tag, kind, field, …]`. The tag is 64 random bits that the host
draws for each run; 0 stands outside runs. A newer side may append fields: what comes after the
known ones is ignored. Anything else unexpected is a `ProtocolFault`. `docs/protocol.md` has the
table of every message and the order in which they may come.

No I/O, no clock. Values of programs stay plain msgpack values here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Any, Final, Self

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
    NOTE = 11
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
    SIGNATURES = "signatures"


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
        open_lines: Lines in the source, by index, of calls that had no answer; not of all when
            there are many.
    """

    tag: int
    how: How
    value: tuple[Any, ...]
    error: GuestError | None
    notes: tuple[str, ...]
    items: int
    calls: int
    open_lines: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence about what was done to make the source run, for the outcome's notes."""

    tag: int
    text: str


@dataclass(frozen=True, slots=True)
class CatalogEntry:
    """One callable tool as the program sees it.

    Attributes:
        is_reached_by_name: `tools[name]` gives it too; not when another tool had that identifier.
    """

    identifier: str
    name: str
    description: str
    is_reached_by_name: bool = True


@dataclass(frozen=True, slots=True)
class Listing:
    """A catalogue as it goes to a worker: made once, and sent with every run that has it.

    Attributes:
        names: Canonical names of the tools a run may call.
        text: JSON, `[tools, others]`. `tools` is what the program reads as `ALL_TOOLS`, an array of
            `{name, description}` with identifiers; `others` has `[place, canonical name, whether
            that reaches the tool]` where it is another one. The worker's engine parses JSON faster
            than anything that is written in its language.
    """

    names: frozenset[str]
    text: str

    @classmethod
    def of(cls, entries: Iterable[CatalogEntry]) -> Self:
        entries = tuple(entries)
        tools = [{"name": each.identifier, "description": each.description} for each in entries]
        others = [
            [place, each.name, each.is_reached_by_name]
            for place, each in enumerate(entries)
            if each.name != each.identifier
        ]
        text = json.dumps([tools, others], separators=(",", ":"))
        return cls(frozenset(each.name for each in entries), text)


@dataclass(frozen=True, slots=True)
class Start:
    """Compile and run one program in the prepared context.

    Attributes:
        source: Body of an async function, positions as the caller wrote them.
        catalog: Tools this run may call.
        store: The branch's committed values as compact JSON text.
        limits: What the worker enforces itself: `calls`, `argument_bytes`, `output_chars`,
            `output_items`.
        code: Where in `source` its code begins and ends, in UTF-16 units.
    """

    tag: int
    source: str
    catalog: Listing
    store: Mapping[str, str]
    limits: Mapping[str, int]
    code: tuple[int, int]


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


@dataclass(frozen=True, slots=True)
class Settled:
    """What the host answers to a call or a question, encoded and ready to be sent."""

    ok: bool
    payload: bytes


FromWorker = Hello | Ready | Text | Image | Console | Call | Ask | Idle | Store | End | Note
FromHost = Start | Settle | Answer | Warm
