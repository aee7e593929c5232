"""The handle on a run under way: events, cancel, outcome."""

from __future__ import annotations

import gc

import anyio
import pytest
from live_pools import FOREVER, PATIENCE_S, Gate, watched_pool

from pool import (
    CallRecord,
    CallStarted,
    CallStatus,
    ConsoleLine,
    Pool,
    Reason,
    TextItem,
    Tool,
)

pytestmark = pytest.mark.anyio

QUICK = Tool(name="quick", handler=lambda argument: argument, inline=True)
TALK = "text('a'); console.log('b'); await tools.quick(); text('c'); return 1"


def kinds(events) -> list[type]:
    return [type(event) for event in events]


async def test_events_come_in_order_and_end_with_the_run():
    async with Pool(size=1, spares=0) as pool, pool.start(TALK, tools=[QUICK]) as run:
        events = [event async for event in run]
        outcome = await run.outcome()

        assert kinds(events) == [TextItem, ConsoleLine, CallStarted, CallRecord, TextItem]
        assert events[2] == CallStarted(0, "quick")
        assert events[3] == outcome.calls[0]
        assert outcome.value == 1


async def test_an_event_arrives_while_the_program_still_runs():
    gate = Gate()
    with anyio.fail_after(PATIENCE_S):
        async with (
            Pool(size=1, spares=0) as pool,
            pool.start("text('a'); await tools.gate(); text('b')", tools=[gate.tool]) as run,
        ):
            texts = []
            async for event in run:
                if isinstance(event, TextItem):
                    texts.append(event.text)
                    gate.opened.set()

            assert texts == ["a", "b"]


async def test_everybody_who_iterates_sees_every_event_however_late():
    async with Pool(size=1, spares=0) as pool, pool.start(TALK, tools=[QUICK]) as run:
        await run.outcome()
        first = [event async for event in run]
        second = [event async for event in run]

        assert len(first) == 5
        assert first == second


async def test_an_iteration_may_be_left_early():
    async with Pool(size=1, spares=0) as pool, pool.start(TALK, tools=[QUICK]) as run:
        async for _event in run:
            break
        gc.collect()

        assert (await run.outcome()).value == 1


async def test_cancelling_a_program_under_way_ends_it_as_cancelled_with_what_it_had_said():
    with anyio.fail_after(PATIENCE_S):
        async with (
            watched_pool() as (pool, processes),
            pool.start(f"text('a'); {FOREVER}") as run,
        ):
            async for _event in run:
                break
            worker = processes.only_worker()
            run.cancel()
            outcome = await run.outcome()

            assert outcome.reason is Reason.CANCELLED
            assert outcome.output == (TextItem("a"),)
            assert not worker.is_running()
            assert (await pool.run("return 1")).value == 1


async def test_cancelling_a_run_that_waits_for_a_worker_ends_it_without_one():
    gate = Gate()
    with anyio.fail_after(PATIENCE_S):
        async with (
            watched_pool() as (pool, _),
            pool.start("await tools.gate()", tools=[gate.tool]) as holder,
        ):
            await gate.called.wait()
            async with pool.start("text('never')") as waiting:
                waiting.cancel()
                outcome = await waiting.outcome()
            gate.opened.set()

            assert outcome.reason is Reason.CANCELLED
            assert outcome.output == ()
            assert (await holder.outcome()).is_completed
            assert pool.stats().runs == 1


async def test_cancelling_before_the_run_has_taken_its_first_step_is_enough():
    async with Pool(size=1, spares=0) as pool, pool.start("return 1") as run:
        run.cancel()

        assert (await run.outcome()).reason is Reason.CANCELLED


async def test_cancelling_a_run_that_is_over_changes_nothing():
    async with Pool(size=1, spares=0) as pool, pool.start("return 1") as run:
        outcome = await run.outcome()
        run.cancel()
        run.cancel()

        assert outcome.value == 1
        assert await run.outcome() is outcome


async def test_leaving_the_context_cancels_the_run_and_waits_until_it_is_gone():
    gate = Gate()
    with anyio.fail_after(PATIENCE_S):
        async with watched_pool() as (pool, processes):
            source = f"await tools.gate(); {FOREVER}"
            async with pool.start(source, tools=[gate.tool]) as run:
                await gate.called.wait()
                worker = processes.only_worker()

            assert not worker.is_running()
            outcome = await run.outcome()
            assert outcome.reason is Reason.CANCELLED
            assert outcome.calls[0].status is CallStatus.CANCELLED


async def test_an_error_in_the_context_goes_on_as_it_is():
    async with Pool(size=1, spares=0) as pool:
        with pytest.raises(LookupError, match="mine"):
            async with pool.start(FOREVER):
                raise LookupError("mine")

        assert (await pool.run("return 1")).value == 1


async def test_a_refused_source_is_an_outcome_of_the_handle_too():
    async with Pool(size=1, spares=0) as pool, pool.start("") as run:
        assert [event async for event in run] == []
        assert (await run.outcome()).error.name == "SourceError"


async def test_many_may_wait_for_the_same_outcome():
    outcomes = []
    gate = Gate()
    with anyio.fail_after(PATIENCE_S):
        async with (
            Pool(size=1, spares=0) as pool,
            pool.start("await tools.gate(); return 1", tools=[gate.tool]) as run,
            anyio.create_task_group() as tasks,
        ):

            async def wait():
                outcomes.append(await run.outcome())

            for _ in range(5):
                tasks.start_soon(wait)
            await gate.called.wait()
            gate.opened.set()

    assert len(outcomes) == 5
    assert len(set(map(id, outcomes))) == 1
