"""How one run ended, as data, and what that means.

`Ending` is what a session hands back; `verdict` turns it into the reason of the specification.
No effects here: every way a run can end is a row of a table that tests can read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from pool.program.outcome import CallRecord, Reason
from pool.wire.messages import End, How, Store
from pool.worker.exit import EndKind


class Stop(StrEnum):
    """Why the host stopped a program; a program that ended by itself was not stopped."""

    TIMEOUT = "timeout"
    CANCELLED = "cancelled"
    OUTPUT_TOO_LARGE = "output_too_large"
    MEMORY = "memory"
    PROTOCOL = "protocol"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Ending:
    """What is left of a session once it is over.

    Attributes:
        end: The worker's END; None when the host stopped the program.
        store: Store changes, of a program that succeeded.
        stop: Why the host stopped it; None when END came.
        detail: What was wrong, for `Stop.PROTOCOL`; never shown with bytes of the worker.
        worker_end: How the process ended, when it had to be killed or was gone.
        hit_memory_limit: An allocation failed while the memory limit was reached.
        open_calls: Names, by index, of the calls that were cancelled because the program was over.
        notes: What the worker did to make the source run.
        active_s: From START to the end.
        peak_rss_bytes: Highest resident memory of the worker, where it could be measured.
        is_clean: The worker may serve another run of the same tenant.
    """

    end: End | None
    store: Store | None
    stop: Stop | None
    detail: str
    worker_end: EndKind | None
    hit_memory_limit: bool
    calls: tuple[CallRecord, ...]
    open_calls: Mapping[int, str]
    notes: tuple[str, ...]
    active_s: float
    peak_rss_bytes: int | None
    is_clean: bool


@dataclass(frozen=True, slots=True)
class Verdict:
    """Reason of a failed run, and the error to show when the program itself has none."""

    reason: Reason
    name: str = ""
    message: str = ""


_MEMORY: Final = Verdict(Reason.MEMORY, "Memory", "the program used all its memory")

_STOPS: Final = {
    Stop.CANCELLED: Verdict(Reason.CANCELLED, "Cancelled", "the run was cancelled"),
    Stop.OUTPUT_TOO_LARGE: Verdict(
        Reason.OUTPUT_TOO_LARGE, "OutputTooLarge", "the program's output passed its limit"
    ),
    Stop.MEMORY: Verdict(
        Reason.MEMORY, "Memory", "the program's open calls and questions used all its memory"
    ),
}

_KILLS: Final[dict[str | None, Verdict]] = {
    "memory": _MEMORY,
    "shutdown": Verdict(Reason.CANCELLED, "Cancelled", "the pool was closed"),
}

_WORKER_ENDS: Final = {
    EndKind.MEMORY: _MEMORY,
    EndKind.CRASH: Verdict(
        Reason.ERROR, "WorkerCrashed", "the process that ran the program crashed"
    ),
    EndKind.OVERFLOW: Verdict(
        Reason.ERROR, "SyntaxError", "the source nests too deeply to be compiled"
    ),
    EndKind.REJECTIONS: Verdict(
        Reason.ERROR,
        "UnhandledRejections",
        "more promises were rejected in one turn, and left without a handler, than the engine can "
        "report (about 40,000); await them or give them a catch",
    ),
    EndKind.CLEAN: Verdict(
        Reason.ERROR, "ProtocolError", "the process that ran the program left before its end"
    ),
    EndKind.KILLED: Verdict(
        Reason.UNAVAILABLE, "Unavailable", "the process that ran the program was killed"
    ),
    EndKind.UNKNOWN: Verdict(
        Reason.UNAVAILABLE, "Unavailable", "the process that ran the program was lost"
    ),
}

_ENDS: Final = {
    How.THREW: Verdict(Reason.ERROR),
    How.REFUSED: Verdict(Reason.ERROR),
    How.STALLED: Verdict(Reason.ERROR),
    How.TOO_LARGE: Verdict(Reason.OUTPUT_TOO_LARGE),
}


def verdict(ending: Ending, *, timeout_ms: int, killed_for: str | None) -> Verdict | None:
    """Why the run failed; None when it completed.

    Args:
        timeout_ms: The run's limit, for the message.
        killed_for: Why the pool itself killed the worker: `memory`, `shutdown`, or None.
    """
    if ending.end is not None:
        return Verdict(Reason.MEMORY) if ending.hit_memory_limit else _ENDS.get(ending.end.how)
    if ending.stop is Stop.GONE:
        return _KILLS.get(killed_for) or _WORKER_ENDS[ending.worker_end or EndKind.UNKNOWN]
    if ending.stop is Stop.TIMEOUT:
        message = f"the program used all its time ({timeout_ms} ms)"
        return Verdict(Reason.TIMEOUT, "Timeout", message)
    if ending.stop is Stop.PROTOCOL:
        message = f"the worker broke the protocol: {ending.detail}"
        return Verdict(Reason.ERROR, "ProtocolError", message)
    return _STOPS[ending.stop or Stop.CANCELLED]
