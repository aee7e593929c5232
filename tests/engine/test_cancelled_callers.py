"""Cancelling whoever called kills and reaps before it goes on, and costs nobody else anything."""

from __future__ import annotations

import anyio
import pytest
from live_pools import FOREVER, PATIENCE_S, Gate, watched_pool

from pool import Limits, Pool, Tool

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("tenant", [None, "t"])
async def test_a_cancelled_callers_worker_is_gone_before_the_cancellation_goes_on(tenant):
    gate = Gate()
    gate.opened.set()
    with anyio.fail_after(PATIENCE_S):
        async with watched_pool() as (pool, processes):
            async with anyio.create_task_group() as tasks:

                async def call():
                    source = f"await tools.gate(); {FOREVER}"
                    await pool.run(source, tools=[gate.tool], tenant=tenant)

                tasks.start_soon(call)
                await gate.called.wait()
                worker = processes.only_worker()
                assert worker.is_running()
                tasks.cancel_scope.cancel()

            assert not worker.is_running()
            assert (await pool.run("return 1", tenant=tenant)).value == 1


async def test_a_callers_own_deadline_works_like_any_cancellation():
    async with watched_pool() as (pool, _):
        with anyio.move_on_after(0.5) as scope:
            await pool.run(FOREVER)

        assert scope.cancelled_caught
        assert pool.stats().busy == 0


async def test_a_caller_that_is_cancelled_while_it_waits_takes_no_worker_with_it():
    gate = Gate()
    with anyio.fail_after(PATIENCE_S):
        async with (
            watched_pool() as (pool, processes),
            pool.start("await tools.gate(); return 1", tools=[gate.tool]) as holder,
        ):
            await gate.called.wait()
            worker = processes.only_worker()
            with anyio.move_on_after(0) as scope:
                await pool.run("return 2")
            gate.opened.set()

            assert scope.cancelled_caught
            assert (await holder.outcome()).value == 1
            assert pool.stats().waiting == 0
            assert worker.pid


async def test_calls_of_a_cancelled_caller_are_cancelled():
    gate = Gate()
    with anyio.fail_after(PATIENCE_S):
        async with watched_pool() as (pool, _):
            async with anyio.create_task_group() as tasks:

                async def call():
                    await pool.run("await tools.gate()", tools=[gate.tool])

                tasks.start_soon(call)
                await gate.called.wait()
                tasks.cancel_scope.cancel()
            await gate.left.wait()


async def test_cancelling_at_any_moment_of_a_run_leaves_a_pool_that_works():
    """The moment moves on by one scheduling step of the event loop at a time."""
    tools = [Tool(name="quick", handler=lambda argument: None, inline=True)]
    with anyio.fail_after(PATIENCE_S):
        async with Pool(size=1, spares=1) as pool:
            for steps in range(25):
                async with anyio.create_task_group() as tasks:
                    tasks.start_soon(_run_quietly, pool, tools)
                    for _ in range(steps):
                        await anyio.lowlevel.checkpoint()
                    tasks.cancel_scope.cancel()

            assert (await pool.run("return 1", tenant="t")).value == 1
            assert pool.stats().busy == 0
            assert pool.stats().waiting == 0


async def _run_quietly(pool: Pool, tools) -> None:
    await pool.run("text('a'); await tools.quick(); return 1", tools=tools, tenant="t")


async def test_a_cancelled_run_that_asks_for_a_thread_first_is_cancelled_too():
    long_source = "return 1;" + " " * 500_000
    async with Pool(size=1, spares=0) as pool:
        with anyio.move_on_after(0) as scope:
            await pool.run(long_source)

        assert scope.cancelled_caught
        assert (await pool.run(long_source, limits=Limits(timeout_ms=60_000))).value == 1
