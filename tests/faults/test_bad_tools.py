"""Tools that misbehave in every way: their call fails, their run goes on, nobody else notices."""

from __future__ import annotations

import threading

import anyio
import pytest
from live_pools import PATIENCE_S
from scenes import scene

from pool import CallStatus, Limits, Reason, Tool
from pool.limits import MIB

pytestmark = pytest.mark.anyio

CAUGHT = "try { await tools.bad() } catch (e) { return e.message }"


async def fail(argument):
    raise ValueError("my own words")


async def leave(argument):
    raise SystemExit(3)


async def be_garbage(argument):
    return {"rows": [object()]}


async def be_large(argument):
    return bytes(100 * MIB)


def large_in_a_thread(argument):
    return "x" * (100 * MIB)


def leave_a_thread(argument):
    raise SystemExit(3)


BAD = {
    "raises": (fail, "my own words"),
    "exits": (leave, "SystemExit: 3"),
    "exits in a thread": (leave_a_thread, "SystemExit: 3"),
    "returns what cannot be sent": (be_garbage, "rows"),
    "returns 100 MiB": (be_large, "33554432"),
    "returns 100 MiB in a thread": (large_in_a_thread, "33554432"),
}


async def test_a_tool_that_fails_in_any_way_fails_its_call_and_the_run_goes_on():
    async with scene() as stage:
        for way, (handler, words) in BAD.items():
            outcome = await stage.run(CAUGHT, tools=[Tool(name="bad", handler=handler)])

            assert outcome.is_completed, (way, outcome.error)
            assert words in outcome.value.replace("_", "").replace(",", ""), way
            assert [call.status for call in outcome.calls] == [CallStatus.ERROR], way


async def test_a_tool_that_hangs_ends_with_its_run():
    left = anyio.Event()

    async def hang(argument):
        try:
            await anyio.sleep_forever()
        finally:
            left.set()

    async with scene() as stage:
        await stage.ready_worker()
        outcome = await stage.run(
            CAUGHT, tools=[Tool(name="bad", handler=hang)], limits=Limits(timeout_ms=500)
        )
        await left.wait()

        assert outcome.reason is Reason.TIMEOUT
        assert outcome.notes == ("Cancelled at the time-out: bad.",)


async def test_a_thread_that_hangs_is_left_behind():
    released = threading.Event()
    hang = Tool(name="bad", handler=lambda argument: released.wait(PATIENCE_S))
    try:
        async with scene() as stage:
            await stage.ready_worker()
            outcome = await stage.run(CAUGHT, tools=[hang], limits=Limits(timeout_ms=500))

            assert outcome.reason is Reason.TIMEOUT
    finally:
        released.set()


async def test_a_tool_that_ignores_its_cancellation_holds_nobody_back():
    released = anyio.Event()

    async def ignore(argument):
        with anyio.CancelScope(shield=True):
            await released.wait()

    async with scene() as stage:
        await stage.ready_worker()
        try:
            outcome = await stage.run(
                CAUGHT, tools=[Tool(name="bad", handler=ignore)], limits=Limits(timeout_ms=500)
            )
            after = await stage.run("return 1")
        finally:
            released.set()

        assert outcome.reason is Reason.TIMEOUT
        assert after.value == 1


async def test_control_a_good_tool_succeeds():
    async with scene() as stage:
        outcome = await stage.run(
            "return await tools.good()", tools=[Tool(name="good", handler=lambda argument: 1)]
        )

        assert outcome.value == 1
