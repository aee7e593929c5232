"""A host whose event loop stands still, and one whose clock jumps."""

from __future__ import annotations

import time

import anyio
import pytest
from live_pools import FOREVER
from scenes import scene, until

from pool import Limits, Reason, TextItem, Tool

pytestmark = pytest.mark.anyio

BLOCKED_S = 1.0
DAY_S = 24 * 3600.0


def block(argument):
    """Hold the event loop, as an application that computes there does."""
    time.sleep(BLOCKED_S)


BLOCK = Tool(name="block", handler=block, inline=True)


async def test_a_blocked_event_loop_costs_runs_time_and_nothing_else():
    async with scene() as stage:
        await stage.ready_worker()
        outcome = await stage.run("text('a'); await tools.block(); return 1", tools=[BLOCK])

        assert outcome.value == 1
        assert outcome.timings.total_ms >= BLOCKED_S * 1000


async def test_a_loop_that_is_blocked_beyond_a_deadline_ends_the_run_when_it_goes_on():
    async with scene() as stage:
        await stage.ready_worker()
        outcome = await stage.run(
            f"text('a'); await tools.block(); {FOREVER}",
            tools=[BLOCK],
            limits=Limits(timeout_ms=500),
        )

        assert outcome.reason is Reason.TIMEOUT
        assert outcome.output == (TextItem("a"),)


async def test_a_loop_that_is_blocked_while_workers_boot_loses_none_of_them():
    async with scene() as stage, anyio.create_task_group() as tasks:
        outcomes = []

        async def run():
            outcomes.append(await stage.pool.run("return 1"))

        tasks.start_soon(run)
        await until(lambda: stage.pool.stats().booting == 1)
        block(None)

    assert [outcome.value for outcome in outcomes] == [1]
    assert outcomes[0].timings.total_ms >= BLOCKED_S * 1000


@pytest.mark.parametrize("jump_s", [-DAY_S, DAY_S], ids=["back", "forward"])
async def test_a_clock_that_jumps_ends_no_run_early_and_none_late(monkeypatch, jump_s):
    true_time = time.time

    def jump(argument):
        monkeypatch.setattr(time, "time", lambda: true_time() + jump_s)

    tool = Tool(name="jump", handler=jump, inline=True)
    async with scene() as stage:
        await stage.ready_worker()
        outcome = await stage.run("await tools.jump(); return 1", tools=[tool])
        late = await stage.run(FOREVER, limits=Limits(timeout_ms=500))

        assert time.time() - true_time() == pytest.approx(jump_s, abs=1)
        assert outcome.value == 1
        assert 0 <= outcome.calls[0].duration_ms < outcome.timings.total_ms < 60_000
        assert late.reason is Reason.TIMEOUT
        assert 500 <= late.timings.total_ms < 60_000
