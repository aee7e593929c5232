"""Runs that wait for a worker: spec L-4 and the deadline that covers the wait (S-2)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
import pytest
from anyio.abc import TaskGroup
from live_pools import PATIENCE_S, Gate, watched_pool

from pool import Limits, Outcome, Pool, Reason, Tool

pytestmark = pytest.mark.anyio


class Callers:
    """Runs in tasks of their own; `served` has the order in which their programs began."""

    def __init__(self, pool: Pool, tasks: TaskGroup) -> None:
        self._pool = pool
        self._tasks = tasks
        self.served: list[str] = []
        self.outcomes: dict[str, Outcome] = {}

    async def enter(self, name: str, tenant: str | None = None, **options) -> None:
        """Start a caller, and return once it waits."""
        waiting = self._pool.stats().waiting
        self._tasks.start_soon(self._run, name, tenant, options)
        while self._pool.stats().waiting == waiting and name not in self.outcomes:
            await anyio.lowlevel.checkpoint()

    async def _run(self, name: str, tenant: str | None, options) -> None:
        begin = Tool(name="begin", handler=lambda argument: self.served.append(name), inline=True)
        self.outcomes[name] = await self._pool.run(
            "await tools.begin()", tools=[begin], tenant=tenant, **options
        )


@asynccontextmanager
async def busy_pool(**options) -> AsyncIterator[tuple[Callers, Gate]]:
    """A pool whose only worker is taken until the gate is opened, and callers for it."""
    gate = Gate()
    with anyio.fail_after(PATIENCE_S):
        async with watched_pool(**options) as (pool, _), anyio.create_task_group() as tasks:

            async def hold():
                await pool.run("await tools.gate()", tools=[gate.tool])

            tasks.start_soon(hold)
            await gate.called.wait()
            yield Callers(pool, tasks), gate
            gate.opened.set()


async def test_l4_a_tenant_with_one_run_does_not_wait_for_all_of_a_tenant_with_many():
    async with busy_pool() as (callers, _):
        for n in range(5):
            await callers.enter(f"many {n}", tenant="many")
        await callers.enter("one", tenant="one")
        await callers.enter("none")

    assert set(callers.served[:3]) == {"many 0", "one", "none"}
    assert callers.served[3:] == [f"many {n}" for n in range(1, 5)]


async def test_l4_a_full_queue_is_answered_at_once_with_the_numbers():
    async with busy_pool(max_queue=2) as (callers, _):
        await callers.enter("first", tenant="a")
        await callers.enter("second", tenant="a")
        await callers.enter("third", tenant="a")
        outcome = callers.outcomes["third"]

        assert outcome.reason is Reason.UNAVAILABLE
        assert outcome.error.name == "Unavailable"
        assert outcome.error.message == "2 runs wait, the queue holds 2"
        assert "first" not in callers.outcomes
    assert callers.outcomes["first"].is_completed
    assert callers.outcomes["second"].is_completed


async def test_l4_a_pool_without_a_queue_serves_what_it_has_workers_for():
    async with busy_pool(max_queue=0) as (callers, _):
        await callers.enter("late")

        assert callers.outcomes["late"].reason is Reason.UNAVAILABLE


async def test_s2_a_run_that_gets_no_worker_until_its_deadline_is_unavailable_with_the_numbers():
    async with busy_pool() as (callers, _):
        await callers.enter("late", limits=Limits(timeout_ms=100))
        while "late" not in callers.outcomes:
            await anyio.lowlevel.checkpoint()
        outcome = callers.outcomes["late"]

        assert outcome.reason is Reason.UNAVAILABLE
        assert "no worker was free" in outcome.error.message
        assert "1 of 1 are busy" in outcome.error.message
        assert outcome.calls == ()
        assert outcome.timings.queue_ms == outcome.timings.total_ms


async def test_s2_the_wait_for_a_worker_is_part_of_the_programs_time():
    async with busy_pool() as (callers, gate):
        await callers.enter("late", limits=Limits(timeout_ms=5_000))
        gate.opened.set()

    timings = callers.outcomes["late"].timings
    assert timings.queue_ms > 0
    assert timings.queue_ms + timings.active_ms <= timings.total_ms <= 5_000
