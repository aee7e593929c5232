"""A thousand runs in a row leave everything as it was."""

from __future__ import annotations

import os
import threading

import psutil
import pytest
from live_pools import watched_pool

from pool import Limits, Tool

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(60)]

RUNS = 1_000

# Every so many runs one that costs its worker.
FAILING_EVERY = 50

WORK = "await Promise.all([tools.task(1), tools.thread(2)]); store('k', 1); text('x'); return [1]"
FAILURES = ["throw 1", "text('x'.repeat(9000))", "await tools.broken()", "let a = ;"]


def count(spawner: psutil.Process) -> dict[str, int]:
    host = psutil.Process()
    relatives = [*host.children(), *spawner.children()]
    return {
        "fds of the host": len(os.listdir("/proc/self/fd")),
        "fds of the spawner": spawner.num_fds(),
        "threads": threading.active_count(),
        "zombies": sum(one.status() == psutil.STATUS_ZOMBIE for one in relatives),
        "processes": len(relatives),
    }


@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_a_thousand_runs_leave_descriptors_zombies_and_threads_as_before():
    async def task(argument):
        return argument

    def broken(argument):
        raise ValueError("broken")

    tools = [
        Tool(name="task", handler=task),
        Tool(name="thread", handler=lambda argument: argument),
        Tool(name="broken", handler=broken),
    ]
    limits = Limits(output_chars=5_000)
    async with watched_pool(size=1, spares=0) as (pool, processes):

        async def run(number: int) -> bool:
            is_failing = number % FAILING_EVERY == FAILING_EVERY - 1
            source = FAILURES[number // FAILING_EVERY % len(FAILURES)] if is_failing else WORK
            tenant = None if number % FAILING_EVERY == 0 else "t"
            outcome = await pool.run(source, tools=tools, tenant=tenant, limits=limits)
            assert outcome.is_completed is not is_failing, outcome.error
            return outcome.is_completed

        for number in range(FAILING_EVERY):
            await run(number)
        await pool.run("return 1", tenant="t")
        before = count(processes.spawner)
        completed = [await run(number) for number in range(RUNS)]
        await pool.run("return 1", tenant="t")

        assert sum(completed) == RUNS - RUNS // FAILING_EVERY
        after = count(processes.spawner)
        # Threads that had nothing to do for a while have left.
        assert after.pop("threads") <= before.pop("threads")
        assert after == before
