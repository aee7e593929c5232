"""Ways to set up a fleet over scripted workers, and to use it, shared by the tests of this room."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

import anyio
from scripted import Boots, ScriptedWorker

from pool.supervisor.facts import Condition, Policy
from pool.supervisor.fleet import Fleet
from pool.supervisor.lease import Lease
from pool.supervisor.watchdog import Watchdog

# Retries at once: what a test waits for is the attempt, not the pause before it.
IMPATIENT = Policy(first_retry_s=0.0, longest_retry_s=0.0)

# More turns of the event loop than anything here takes from one event to the last of its effects.
MOST_STEPS = 50


def fleet_of(
    boots: Boots,
    *,
    size: int = 1,
    spares: int = 0,
    max_queue: int = 10,
    policy: Policy = IMPATIENT,
    watchdog: Watchdog | None = None,
    clock: Callable[[], float] = anyio.current_time,
) -> Fleet:
    return Fleet(
        boot=cast("Any", boots),
        size=size,
        spares=spares,
        max_queue=max_queue,
        policy=policy,
        watchdog=watchdog,
        clock=clock,
    )


def worker_of(lease: Lease) -> ScriptedWorker:
    worker: object = lease.worker
    assert isinstance(worker, ScriptedWorker)
    return worker


async def run_once(
    fleet: Fleet,
    tenant: str | None = None,
    *,
    condition: Condition = Condition.CLEAN,
    deadline: float = math.inf,
) -> ScriptedWorker:
    """One run that is over at once; the worker that served it."""
    async with fleet.lease(tenant=tenant, memory_mib=256, deadline=deadline) as lease:
        lease.condition = condition
        return worker_of(lease)


async def rest() -> None:
    """Let every task come as far as it can.

    anyio's `wait_all_tasks_blocked` looks every 100 ms under asyncio, in step with the watchdog's
    50 ms: it never sees that task asleep.
    """
    for _ in range(MOST_STEPS):
        await anyio.lowlevel.checkpoint()


@dataclass(eq=False)
class Caller:
    """Somebody who has a run: waits for a worker, keeps it until told to let go.

    Attributes:
        worker: What served it; None while it waits.
        error: What the lease raised.
        log: Names of callers, in the order in which they got a worker.
    """

    fleet: Fleet
    tenant: str | None
    name: str
    log: list[str]
    deadline: float = math.inf
    condition: Condition = Condition.CLEAN

    def __post_init__(self) -> None:
        self.done = anyio.Event()
        self.scope = anyio.CancelScope()
        self.worker: ScriptedWorker | None = None
        self.lease: Lease | None = None
        self.error: Exception | None = None
        self.has_ended = False

    async def __call__(self) -> None:
        try:
            with self.scope:
                async with self.fleet.lease(
                    tenant=self.tenant, memory_mib=256, deadline=self.deadline
                ) as lease:
                    self.lease, self.worker = lease, worker_of(lease)
                    self.log.append(self.name)
                    await self.done.wait()
                    lease.condition = self.condition
        except Exception as error:
            self.error = error
        self.has_ended = True
