"""Workers without a process, and a clock that moves when a test says so.

Each class says which failure it can make; what is not asked for goes well at once.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

import anyio

from pool.errors import BootFailed, ProtocolFault
from pool.limits import MIB
from pool.worker.exit import EndKind
from pool.worker.memory import Memory


class Clock:
    """The event loop's clock, and whatever a test adds to it."""

    def __init__(self) -> None:
        self.ahead_s = 0.0

    def __call__(self) -> float:
        return anyio.current_time() + self.ahead_s


@dataclass(eq=False)
class ScriptedWorker:
    """Ready at once, alive until it is killed.

    Attributes:
        is_stuck: It does not become ready after its next run.
        is_brittle: It breaks when it is warmed up.
        ready_gate: When given, it becomes ready only once this is set.
        reap_gate: When given, it is reaped only once this is set.
        grown_mib: How much VmData it has gained since it booted.
    """

    pid: int
    is_stuck: bool = False
    is_brittle: bool = False
    ready_gate: anyio.Event | None = None
    reap_gate: anyio.Event | None = None
    grown_mib: int = 0
    rss_mib: int = 40
    baseline_data_bytes: int = 500 * MIB
    is_alive: bool = True
    is_silent_corpse: bool = False  # dead, and nobody has heard of it yet
    is_reaped: bool = False
    warmed: int = 0
    peak_resets: int = 0
    dead: anyio.Event = field(default_factory=anyio.Event)

    def die(self) -> None:
        self.is_alive = False
        self.dead.set()

    def sigkill(self) -> None:
        self.die()

    async def kill(self) -> EndKind:
        self.die()
        if self.reap_gate is not None:
            await self.reap_gate.wait()
        self.is_reaped = True
        return EndKind.KILLED

    def is_fit(self) -> bool:
        return self.is_alive and not self.is_silent_corpse

    async def wait_dead(self) -> None:
        await self.dead.wait()

    async def warm(self) -> None:
        if self.is_brittle:
            raise ProtocolFault("the warm-up does not end")
        self.warmed += 1

    async def wait_ready(self, timeout_s: float) -> bool:
        if self.ready_gate is not None:
            await self.ready_gate.wait()
        return self.is_alive and not self.is_stuck

    def usage(self) -> Memory | None:
        if not self.is_alive:
            return None
        data_bytes = self.baseline_data_bytes + self.grown_mib * MIB
        return Memory(data_bytes, self.rss_mib * MIB, self.rss_mib * MIB)

    def reset_peak(self) -> None:
        self.peak_resets += 1


@dataclass(eq=False)
class Boots:
    """Boots scripted workers.

    Attributes:
        gate: When given, boots that begin now wait for it.
        failures: What the attempts to come raise; a text is the reason of a `BootFailed`.
        always_fails: The reason of every attempt without a scripted one.
        broken_warm_ups: How many of the workers to come break when they are warmed up.
        workers: All that came up, in order.
        begun: Attempts so far.
    """

    gate: anyio.Event | None = None
    failures: deque[str | Exception] = field(default_factory=deque)
    always_fails: str | None = None
    broken_warm_ups: int = 0
    workers: list[ScriptedWorker] = field(default_factory=list)
    begun: int = 0

    async def __call__(self) -> ScriptedWorker:
        self.begun += 1
        reason = self.failures.popleft() if self.failures else self.always_fails
        gate = self.gate
        if gate is not None:
            await gate.wait()
        if reason is not None:
            raise BootFailed(reason) if isinstance(reason, str) else reason
        worker = ScriptedWorker(pid=1000 + self.begun, is_brittle=self.broken_warm_ups > 0)
        self.broken_warm_ups -= worker.is_brittle
        self.workers.append(worker)
        return worker

    @property
    def living(self) -> list[ScriptedWorker]:
        return [worker for worker in self.workers if not worker.is_reaped]
