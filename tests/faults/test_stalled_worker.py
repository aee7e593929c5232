"""A worker that is stopped (SIGSTOP): the deadline of its run holds, and it is replaced."""

from __future__ import annotations

import pytest
from scenes import is_stopped, scene, until

from pool import Limits, Reason, TextItem, Tool

pytestmark = pytest.mark.anyio

SHORT = Limits(timeout_ms=500)


async def test_a_worker_stopped_under_its_run_ends_with_a_time_out_and_keeps_its_output():
    async with scene() as stage:
        worker = await stage.ready_worker()
        stop = Tool(name="stop", handler=lambda argument: worker.suspend(), inline=True)
        outcome = await stage.run("text('a'); await tools.stop()", tools=[stop], limits=SHORT)

        assert outcome.reason is Reason.TIMEOUT
        assert outcome.output == (TextItem("a"),)
        assert not worker.is_running()


@pytest.mark.parametrize("padding", [0, 900_000], ids=["a short", "a source that fills the pipe"])
async def test_a_worker_stopped_while_it_idles_costs_one_run_its_time_and_is_replaced(padding):
    async with scene() as stage:
        worker = await stage.ready_worker()
        worker.suspend()
        await until(lambda: is_stopped(worker))
        stalled = await stage.run("return 1" + " " * padding, limits=SHORT)
        after = await stage.run("return 2")

        assert stalled.reason is Reason.TIMEOUT
        assert after.value == 2
        assert not worker.is_running()


async def test_a_worker_stopped_for_a_moment_costs_nothing():
    async with scene() as stage:
        worker = await stage.ready_worker()

        async def pause(argument):
            worker.suspend()
            await until(lambda: is_stopped(worker))
            worker.resume()

        outcome = await stage.run(
            "await tools.pause(); return 1", tools=[Tool(name="pause", handler=pause)]
        )

        assert outcome.value == 1
        assert stage.victim() == worker


async def test_a_worker_stopped_while_it_boots_leaves_its_run_unavailable_at_the_deadline():
    async with scene() as stage:
        async with stage.pool.start("return 1", limits=SHORT) as run:
            await until(lambda: len(stage.processes.workers()) == 2)
            booting = stage.victim()
            booting.suspend()
            outcome = await run.outcome()

            assert outcome.reason is Reason.UNAVAILABLE
            assert "no worker was ready" in outcome.error.message
            booting.resume()
        assert (await stage.pool.run("return 2")).value == 2
