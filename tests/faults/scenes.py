"""The stage of every fault: a pool, a neighbour that must not notice, a count of what is left.

A fault is done to real processes from outside: a signal, bytes written into a pipe through /proc,
a lowered limit. Nothing of the pool is replaced.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import anyio
import anyio.lowlevel
import psutil
from live_pools import PATIENCE_S, Gate, Processes, watched_pool
from proc_files import open_fds

from pool import Outcome, Pool

VICTIM = "victim"


@dataclass(frozen=True)
class Scene:
    """A pool of two workers, one of which serves the neighbour."""

    pool: Pool
    processes: Processes
    neighbour: psutil.Process

    async def run(self, source: str, **options: Any) -> Outcome:
        """A run of the victim's, in the worker that `ready_worker` gave."""
        return await self.pool.run(source, **{"tenant": VICTIM, **options})

    async def ready_worker(self) -> psutil.Process:
        """An idle worker that the victim's next run will get."""
        outcome = await self.run("return 1")
        assert outcome.is_completed, outcome.error
        await until(lambda: self.pool.stats().idle == 1)
        return self.victim()

    def victim(self) -> psutil.Process:
        [worker] = [one for one in self.processes.workers() if one != self.neighbour]
        return worker


@asynccontextmanager
async def scene(*, patience_s: float = PATIENCE_S, **options: Any) -> AsyncIterator[Scene]:
    """Leaving checks that the neighbour is well, the pool works and nothing is left behind."""
    gate = Gate()
    fds, children = open_fds(), psutil.Process().children()
    with anyio.fail_after(patience_s):
        async with watched_pool(size=2, **options) as (pool, processes):
            source = "text('before'); const given = await tools.gate(7); return given"
            async with pool.start(source, tools=[gate.tool]) as neighbour:
                await gate.called.wait()
                yield Scene(pool, processes, processes.only_worker())
                gate.opened.set()
                outcome = await neighbour.outcome()

                assert outcome.value == 7, outcome.error
                assert [item.text for item in outcome.output] == ["before"]
            later = await pool.run("return 8", tenant=VICTIM)
            assert later.value == 8, later.error
            assert pool.stats().busy == pool.stats().waiting == 0
    assert psutil.Process().children() == children
    assert open_fds() == fds


async def until(condition: Callable[[], bool]) -> None:
    """Return once something outside the event loop has come about; the scene bounds the wait."""
    while not condition():
        await anyio.lowlevel.checkpoint()


def write_into(worker: psutil.Process, fd: int, data: bytes) -> None:
    """Write to a descriptor of another process as if it had done so itself."""
    with open(f"/proc/{worker.pid}/fd/{fd}", "wb", buffering=0) as pipe:
        rest = memoryview(data)
        while rest:
            rest = rest[pipe.write(rest) :]


def is_stopped(worker: psutil.Process) -> bool:
    return worker.status() == psutil.STATUS_STOPPED
