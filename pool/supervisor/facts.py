"""The words in which placement is asked and answers. Frozen data, no rules.

Facts go in, decisions come out; `placement` has the rules between them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from pool.limits import MIB
from pool.supervisor.backoff import BackOff
from pool.supervisor.queue import Request


class State(StrEnum):
    """Where a worker is in its life."""

    BOOTING = "booting"
    SPARE = "spare"
    IDLE = "idle"
    BUSY = "busy"
    RESETTING = "resetting"
    RETIRING = "retiring"


class Why(StrEnum):
    """Why a worker ends."""

    SINGLE_USE = "single_use"
    UNCLEAN = "unclean"
    MEMORY = "memory"
    RUNS = "runs"
    AGE = "age"
    GROWTH = "growth"
    ROOM = "room"
    SURPLUS = "surplus"
    NOT_READY = "not_ready"
    DIED = "died"
    SHUTDOWN = "shutdown"


class Refusal(StrEnum):
    """Why a request gets no worker."""

    QUEUE_FULL = "queue_full"
    EXPIRED = "expired"
    BOOT_FAILED = "boot_failed"
    CLOSED = "closed"


class Condition(StrEnum):
    """In which condition a run left its worker."""

    CLEAN = "clean"
    UNUSED = "unused"
    UNCLEAN = "unclean"


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """When a worker is spent, and when waiting for one is hopeless.

    Attributes:
        max_runs: Runs of one process. V8's heap levels off long before; what leaks slowly in
            native code is cut off here.
        max_age_s: Seconds from boot. Bounds how long a tenant that went away holds a process, and
            how long anything a program left behind can live.
        max_growth_mib: Garbage of earlier runs counts against a later run's memory limit and
            could end an innocent one; this much more than at boot (VmData, MiB) is too much ...
        growth_share: ... and so is this part of the run's own memory: one in `growth_share`.
        max_boot_failures: Failed attempts in a row after which a waiting request is told.
            One may be chance, and two while a package is being replaced.
        first_retry_s: Pause after the first failed boot, doubled after each further one. What is
            wrong for a moment, like a binary being replaced, is right again by then.
        longest_retry_s: Longest such pause. Costs nothing while workers cannot start, and nobody
            needs to restart the host once they can.
        sweep_s: How often workers that became too old unnoticed are looked for. Nobody waits for
            that, so a twentieth of the age is soon enough.
    """

    max_runs: int = 500
    max_age_s: float = 600.0
    max_growth_mib: int = 64
    growth_share: int = 4
    max_boot_failures: int = 3
    first_retry_s: float = 0.1
    longest_retry_s: float = 5.0
    sweep_s: float = 30.0

    def growth_limit_bytes(self, memory_mib: int) -> int:
        """Growth of VmData since boot that still leaves a run its memory."""
        return min(self.max_growth_mib * MIB, memory_mib * MIB // self.growth_share)

    def retry_at(self, boots: BackOff) -> float:
        """When the next boot may begin."""
        return boots.retry_at(first_s=self.first_retry_s, longest_s=self.longest_retry_s)


@dataclass(frozen=True, slots=True)
class WorkerFact:
    """What placement knows of one worker. Times are the fleet's clock in seconds.

    Attributes:
        tenant: Who may use it; None for a spare and for single use.
        runs: Runs it has served.
        memory_mib: Budget of its last run.
        growth_bytes: VmData now less VmData at boot.
        idle_since: When it became idle.
    """

    id: int
    state: State
    born_at: float = 0.0
    tenant: str | None = None
    runs: int = 0
    memory_mib: int = 0
    growth_bytes: int = 0
    idle_since: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Everything a decision depends on, except the time.

    Attributes:
        size: Runs at once.
        spares: Unassigned workers to keep booted.
        max_queue: Requests that may wait beyond those for whom a slot is held.
        waiting: In the order of their turns.
    """

    size: int
    spares: int
    max_queue: int
    workers: tuple[WorkerFact, ...]
    waiting: tuple[Request, ...]
    boots: BackOff = field(default_factory=BackOff)
    policy: Policy = field(default_factory=Policy)


@dataclass(frozen=True, slots=True)
class Assign:
    request: Request
    worker: WorkerFact


@dataclass(frozen=True, slots=True)
class Boot:
    count: int


@dataclass(frozen=True, slots=True)
class Retire:
    worker: WorkerFact
    why: Why


@dataclass(frozen=True, slots=True)
class Refuse:
    request: Request
    why: Refusal


Decision = Assign | Boot | Retire | Refuse
