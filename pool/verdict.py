"""From what happened to the `Outcome`: pure composition, no effects.

A run can end in four places: refused before a worker was taken, cancelled while it waited, no
worker to be had, or on a worker, however that went. Each has one function here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from pool.errors import CodepoolError, SourceRefused
from pool.program.advice import explain
from pool.program.excerpt import describe, describe_refusal
from pool.program.outcome import (
    ABSENT,
    CallRecord,
    ConsoleLine,
    ImageItem,
    Outcome,
    ProgramError,
    Reason,
    Status,
    StoreChanges,
    TextItem,
    Timings,
)
from pool.program.positions import Lines
from pool.program.source import Program
from pool.wire.messages import GuestError, How, Store
from pool.worker.ending import Ending, Stop, Verdict, verdict

SILENT_NOTE: Final = (
    "The program ended without output, returned value, store write or call. "
    "Use text() or return to show something."
)

# Lines of one tool's cancelled calls that a note names; the rest are "others".
MAX_NOTED_LINES: Final = 5

# When the calls were cancelled that a stopped program had open, as its note says it.
_MOMENTS: Final = {
    Stop.TIMEOUT: "at the time-out",
    Stop.CANCELLED: "with the run",
    Stop.GONE: "when the program's process ended",
}


@dataclass(frozen=True, slots=True)
class Course:
    """How a run that got a worker went, apart from its ending.

    Attributes:
        notes: What the host has to add.
        killed_for: Why the pool itself killed the worker: `memory`, `shutdown`, or None.
    """

    program: Program
    timeout_ms: int
    max_output_tokens: int
    output: tuple[TextItem | ImageItem, ...]
    console: tuple[ConsoleLine, ...]
    timings: Timings
    killed_for: str | None
    files_dir: str | None
    notes: tuple[str, ...]


def refused(error: SourceRefused, source: str | bytes, timings: Timings) -> Outcome:
    """The source was refused on the host; no worker was taken."""
    return _failed(Reason.ERROR, describe_refusal(error, source), timings)


def cancelled(
    timings: Timings,
    why: str = "the run was cancelled",
    *,
    output: tuple[TextItem | ImageItem, ...] = (),
    console: tuple[ConsoleLine, ...] = (),
    calls: tuple[CallRecord, ...] = (),
    files_dir: str | None = None,
) -> Outcome:
    """The run was cancelled while it waited for a worker, or together with the task it ran in."""
    outcome = _failed(Reason.CANCELLED, ProgramError("Cancelled", why), timings)
    return replace(outcome, output=output, console=console, calls=calls, files_dir=files_dir)


def unavailable(error: CodepoolError, timings: Timings) -> Outcome:
    """There was no worker for the run."""
    return _failed(Reason.UNAVAILABLE, ProgramError("Unavailable", str(error)), timings)


def _failed(reason: Reason, error: ProgramError, timings: Timings) -> Outcome:
    return Outcome(Status.FAILED, reason, error=error, timings=timings)


def compose(course: Course, ending: Ending) -> Outcome:
    """The outcome of a run that got a worker."""
    failure = verdict(ending, timeout_ms=course.timeout_ms, killed_for=course.killed_for)
    has_completed = failure is None
    value = _value(ending) if has_completed else ABSENT
    store = _changes(ending.store if has_completed else None)
    notes = [*course.program.notes, *ending.notes, *_notes(course, ending)]
    if has_completed and _is_silent(course, ending, value, store):
        notes.append(SILENT_NOTE)
    return Outcome(
        status=Status.COMPLETED if failure is None else Status.FAILED,
        reason=None if failure is None else failure.reason,
        value=value,
        output=course.output,
        console=course.console,
        error=None if failure is None else _error(failure, ending, course.program),
        calls=ending.calls,
        store=store,
        notes=tuple(notes),
        timings=course.timings,
        peak_memory_bytes=ending.peak_rss_bytes,
        max_output_tokens=course.max_output_tokens,
        files_dir=course.files_dir,
    )


def _value(ending: Ending) -> Any:
    values = () if ending.end is None else ending.end.value
    return values[0] if values else ABSENT


def _changes(store: Store | None) -> StoreChanges:
    if store is None:
        return StoreChanges()
    values = {key: json.loads(text) for key, text in store.set.items()}
    return StoreChanges(set=values, delete=tuple(store.delete))


def _error(failure: Verdict, ending: Ending, program: Program) -> ProgramError:
    thrown = None if ending.end is None else ending.end.error
    if thrown is not None:
        is_refused = ending.end is not None and ending.end.how is How.REFUSED
        return describe(_advised(thrown, program) if is_refused else thrown, program)
    return ProgramError(failure.name, failure.message)


def _advised(refusal: GuestError, program: Program) -> GuestError:
    explained = explain(refusal.message, refusal.line, refusal.column, program.source)
    return replace(refusal, message=explained.message, line=explained.line, column=explained.column)


def _notes(course: Course, ending: Ending) -> list[str]:
    notes = [*(() if ending.end is None else ending.end.notes), *course.notes]
    if ending.open_calls:
        lines = _open_lines(ending, course.program)
        notes.append(f"Cancelled {_moment(ending)}: {_listed(ending.open_calls, lines)}.")
    return notes


def _open_lines(ending: Ending, program: Program) -> Mapping[int, int]:
    """Where open calls were made, as far as the worker names lines that exist."""
    told = {} if ending.end is None else ending.end.open_lines
    last = len(Lines(program.original)) if told else 0
    return {index: line for index, line in told.items() if 1 <= line <= last}


def _moment(ending: Ending) -> str:
    """When, and as far as it is known why, calls were still open."""
    if ending.stop is not None:
        return _MOMENTS.get(ending.stop, "when the program was stopped")
    if ending.end is not None and ending.end.how is How.COMPLETED:
        return "when the program ended, because nothing awaited them"
    return "when the program ended"


def _listed(names: Mapping[int, str], lines: Mapping[int, int]) -> str:
    """Calls by name: `read (line 3), write (2 times, lines 4 and 7)`."""
    indices: dict[str, list[int]] = {}
    for index, name in names.items():
        indices.setdefault(name, []).append(index)
    return ", ".join(
        name + _details(len(group), sorted({lines[at] for at in group if at in lines}))
        for name, group in indices.items()
    )


def _details(count: int, lines: Sequence[int]) -> str:
    details = [f"{count} times"] if count > 1 else []
    if lines:
        shown = [str(line) for line in lines[:MAX_NOTED_LINES]]
        shown += ["others"] if len(lines) > len(shown) else []
        details.append(f"line {shown[0]}" if len(shown) == 1 else f"lines {_joined(shown)}")
    return f" ({', '.join(details)})" if details else ""


def _joined(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}"


def _is_silent(course: Course, ending: Ending, value: Any, store: StoreChanges) -> bool:
    has_shown = course.output or course.console or value is not ABSENT
    return not (has_shown or ending.calls or store.set or store.delete)
