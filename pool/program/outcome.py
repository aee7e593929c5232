"""What came of one run: the frozen record that `Pool.run` returns.

Everything here is data. `Outcome.to_dict()` is the JSON document of the command line and of the
HTTP service; nothing else defines its shape.
"""

from __future__ import annotations

import base64
import math
import shutil
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

# What a model is shown when neither the program nor the host says otherwise.
DEFAULT_OUTPUT_TOKENS: Final = 10_000


class Status(StrEnum):
    COMPLETED = "completed"
    FAILED = "failed"


class Reason(StrEnum):
    """Why a run failed. The closed set of the specification, section 11."""

    ERROR = "Error"
    TIMEOUT = "Timeout"
    MEMORY = "Memory"
    OUTPUT_TOO_LARGE = "OutputTooLarge"
    REPLAY_MISMATCH = "ReplayMismatch"
    CANCELLED = "Cancelled"
    UNAVAILABLE = "Unavailable"


class CallStatus(StrEnum):
    OK = "ok"
    ERROR = "error"
    CANCELLED = "cancelled"


class _Absent:
    """The value of a program that returned nothing."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "ABSENT"

    def __bool__(self) -> bool:
        return False


ABSENT: Final = _Absent()


@dataclass(frozen=True, slots=True)
class TextItem:
    text: str

    def to_dict(self) -> dict[str, Any]:
        return {"type": "text", "text": self.text}


@dataclass(frozen=True, slots=True)
class ImageItem:
    """An image the program showed, saved to a temporary file."""

    mime_type: str
    path: str

    def to_dict(self) -> dict[str, Any]:
        return {"type": "image", "mimeType": self.mime_type, "path": self.path}


@dataclass(frozen=True, slots=True)
class ConsoleLine:
    level: str
    text: str

    def to_dict(self) -> dict[str, Any]:
        return {"level": self.level, "text": self.text}


@dataclass(frozen=True, slots=True)
class ProgramError:
    """What ended the program, in terms of the caller's own source.

    Attributes:
        line: Line of the caller's source, from 1.
        column: Column from 1, in UTF-16 units.
        excerpt: The line with a caret below it; None when there is no position.
        stack: Frames of `program.js` only.
    """

    name: str
    message: str
    line: int | None = None
    column: int | None = None
    excerpt: str | None = None
    stack: str = ""
    cause: ProgramError | None = None
    errors: tuple[ProgramError, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "message": self.message,
            "line": self.line,
            "column": self.column,
            "excerpt": self.excerpt,
            "stack": self.stack,
            "cause": None if self.cause is None else self.cause.to_dict(),
            "errors": [error.to_dict() for error in self.errors],
        }


@dataclass(frozen=True, slots=True)
class CallRecord:
    """One tool call, in the order the program made them."""

    index: int
    name: str
    status: CallStatus
    duration_ms: float

    def to_dict(self) -> dict[str, Any]:
        return {
            "index": self.index,
            "name": self.name,
            "status": str(self.status),
            "duration_ms": round(self.duration_ms, 3),
        }


@dataclass(frozen=True, slots=True)
class StoreChanges:
    """Writes of a completed run, for the caller to apply to the branch."""

    set: dict[str, Any] = field(default_factory=dict)
    delete: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {"set": dict(self.set), "delete": list(self.delete)}


@dataclass(frozen=True, slots=True)
class Timings:
    """Milliseconds. `active_ms` is the program's own time, from START to its end.

    Attributes:
        queue_ms: From the request until a worker was there.
        start_ms: From then until the program was handed over.
        total_ms: From the request to the outcome.
    """

    queue_ms: float = 0.0
    start_ms: float = 0.0
    active_ms: float = 0.0
    total_ms: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        return {
            "queue_ms": round(self.queue_ms, 3),
            "start_ms": round(self.start_ms, 3),
            "active_ms": round(self.active_ms, 3),
            "total_ms": round(self.total_ms, 3),
        }


@dataclass(frozen=True, slots=True)
class Outcome:
    """Result of one run.

    Attributes:
        value: What the program returned; `ABSENT` when it returned nothing or `undefined`.
        output: `text()` and `image()` items in order.
        usage: Model usage by name, summed; empty when no model was used.
        output_path: File with the whole text when the run's own budget cuts the rendered one, in
            lines of at most 2,000 characters; None when nothing is cut, or the file could not be
            written and a note says why.
        peak_memory_bytes: Highest resident memory of the worker; None when it was not measured.
        max_output_tokens: Budget for `render`; not part of the document.
        files_dir: Where this run's temporary files lie; None when it made none. They stay until
            `close`, or for a day; not part of the document.
    """

    status: Status
    reason: Reason | None = None
    value: Any = ABSENT
    output: tuple[TextItem | ImageItem, ...] = ()
    console: tuple[ConsoleLine, ...] = ()
    error: ProgramError | None = None
    calls: tuple[CallRecord, ...] = ()
    store: StoreChanges = StoreChanges()
    notes: tuple[str, ...] = ()
    usage: dict[str, float] = field(default_factory=dict)
    output_path: str | None = None
    timings: Timings = Timings()
    peak_memory_bytes: int | None = None
    max_output_tokens: int = DEFAULT_OUTPUT_TOKENS
    files_dir: str | None = None

    def close(self) -> None:
        """Remove the run's temporary files; its paths lead nowhere from then on."""
        if self.files_dir is not None:
            shutil.rmtree(self.files_dir, ignore_errors=True)

    @property
    def is_completed(self) -> bool:
        return self.status is Status.COMPLETED

    def to_dict(self) -> dict[str, Any]:
        """The JSON document of the specification; `value` is left out when absent."""
        document: dict[str, Any] = {
            "status": str(self.status),
            "reason": None if self.reason is None else str(self.reason),
        }
        if self.value is not ABSENT:
            document["value"] = to_json(self.value)
        return document | {
            "output": [item.to_dict() for item in self.output],
            "console": [line.to_dict() for line in self.console],
            "error": None if self.error is None else self.error.to_dict(),
            "calls": [call.to_dict() for call in self.calls],
            "store": self.store.to_dict(),
            "notes": list(self.notes),
            "usage": dict(self.usage),
            "output_path": self.output_path,
            "timings": self.timings.to_dict(),
            "peak_memory_bytes": self.peak_memory_bytes,
        }


def to_json(value: Any) -> Any:
    """A program's value as JSON data: bytes and non-finite numbers in their tagged form."""
    match value:
        case bytes():
            return {"$bytes": base64.b64encode(value).decode("ascii")}
        case float() if not math.isfinite(value):
            return "NaN" if math.isnan(value) else ("Infinity" if value > 0 else "-Infinity")
        case list():
            return [to_json(item) for item in value]
        case dict():
            return {key: to_json(item) for key, item in value.items()}
        case _:
            return value
