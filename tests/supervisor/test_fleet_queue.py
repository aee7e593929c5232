"""Waiting for a worker: order, bounds, deadlines, and requests that go away."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable

import anyio
import pytest
from fleets import Caller, fleet_of, rest, run_once
from scripted import Boots, Clock

from pool.errors import NoWorker, QueueFull
from pool.supervisor.facts import Refusal, Why

pytestmark = pytest.mark.anyio

Enter = Callable[..., Awaitable[Caller]]


async def finish(*callers: Caller) -> None:
    """Let callers go, one after the other."""
    for caller in callers:
        caller.done.set()
        await rest()


async def test_no_more_than_size_runs_are_under_way(enter: Enter) -> None:
    async with fleet_of(Boots(), size=2, spares=2) as fleet:
        callers = [await enter(fleet, str(number)) for number in range(5)]

        assert (fleet.stats().busy, fleet.stats().waiting) == (2, 3)
        await finish(*callers)
        assert fleet.stats().runs == 5


async def test_tenants_take_turns(enter: Enter) -> None:
    async with fleet_of(Boots(), size=1) as fleet:
        callers = {name: await enter(fleet, name, name[0]) for name in "a1 a2 a3 b1 b2".split()}
        turns = ["a1", "a2", "b1", "a3", "b2"]
        await finish(*(callers[name] for name in turns))

        assert callers["a1"].log == turns


async def test_one_too_many_is_refused_at_once_with_the_numbers(enter: Enter) -> None:
    async with fleet_of(Boots(), size=1, max_queue=2) as fleet:
        callers = [await enter(fleet, str(number)) for number in range(3)]

        with pytest.raises(QueueFull, match=r"^2 runs wait, the queue holds 2$"):
            await run_once(fleet)
        assert fleet.stats().refused[Refusal.QUEUE_FULL] == 1
        await finish(*callers)


async def test_nobody_is_refused_while_there_is_room(enter: Enter) -> None:
    async with fleet_of(Boots(), size=1, max_queue=2) as fleet:
        callers = [await enter(fleet, str(number)) for number in range(3)]
        await finish(*callers)

        assert [caller.error for caller in callers] == [None, None, None]


async def test_a_flood_keeps_no_other_tenant_out_of_the_queue(enter: Enter) -> None:
    async with fleet_of(Boots(), size=1, max_queue=2) as fleet:
        flood = [await enter(fleet, str(number), "a") for number in range(3)]
        other = await enter(fleet, "other", "b")

        assert [type(caller.error) for caller in flood] == [type(None), type(None), QueueFull]
        assert other.error is None
        await finish(flood[0], other, flood[1])


async def test_a_request_that_waited_to_its_deadline_is_told_why(enter: Enter) -> None:
    async with fleet_of(Boots(), size=1) as fleet:
        busy = await enter(fleet, "busy")

        with pytest.raises(NoWorker, match=r"1 of 1 are busy, 0 more runs wait$"):
            await run_once(fleet, deadline=anyio.current_time() + 0.01)
        assert fleet.stats().waiting == 0
        await finish(busy)


async def test_a_request_past_its_deadline_gets_no_worker_even_if_one_is_free() -> None:
    async with fleet_of(Boots(), spares=1) as fleet:
        await rest()

        with pytest.raises(NoWorker):
            await run_once(fleet, deadline=anyio.current_time())
        await run_once(fleet, deadline=anyio.current_time() + 5)


async def test_the_deadline_is_on_the_clock_of_the_fleet(enter: Enter) -> None:
    clock = Clock()
    clock.ahead_s = 1000.0
    async with fleet_of(Boots(), size=1, clock=clock) as fleet:
        busy = await enter(fleet, "busy")

        with anyio.fail_after(5), pytest.raises(NoWorker):
            await run_once(fleet, deadline=clock() + 0.01)
        await finish(busy)


async def test_a_request_that_is_cancelled_while_it_waits_leaves_the_queue(enter: Enter) -> None:
    async with fleet_of(Boots(), size=1) as fleet:
        busy, leaver, last = [await enter(fleet, name) for name in ("busy", "leaver", "last")]
        leaver.scope.cancel()
        await rest()

        assert leaver.has_ended
        assert fleet.stats().waiting == 1
        await finish(busy, last)
        assert busy.log == ["busy", "last"]


async def test_a_worker_assigned_to_a_request_that_was_just_cancelled_goes_to_the_next(
    enter: Enter,
) -> None:
    boots = Boots()
    async with fleet_of(boots, size=1, spares=1) as fleet:
        await rest()
        async with fleet.lease(tenant=None, memory_mib=256, deadline=math.inf):
            leaver = await enter(fleet, "leaver", "a")
            last = await enter(fleet, "last", "b")
            leaver.scope.cancel()
        # Leaving the lease assigned the spare to the leaver, who has not run since.
        assert fleet.stats().busy == 1
        await rest()

        assert leaver.worker is None
        assert last.worker is boots.workers[1]
        await finish(last)


async def test_a_worker_that_a_cancelled_request_did_not_use_is_a_spare_again(
    enter: Enter,
) -> None:
    boots = Boots()
    async with fleet_of(boots, size=1, spares=1) as fleet:
        await rest()
        async with fleet.lease(tenant=None, memory_mib=256, deadline=math.inf):
            leaver = await enter(fleet, "leaver", "a")
            leaver.scope.cancel()
        await rest()

        assert leaver.worker is None
        assert boots.workers[1] in boots.living
        assert fleet.stats().spare == len(boots.living)


async def test_a_worker_that_died_before_its_cancelled_request_gave_it_back_is_replaced(
    enter: Enter,
) -> None:
    boots = Boots()
    async with fleet_of(boots, size=1, spares=1) as fleet:
        await rest()
        async with fleet.lease(tenant=None, memory_mib=256, deadline=math.inf):
            leaver = await enter(fleet, "leaver", "a")
            leaver.scope.cancel()
        boots.workers[1].die()
        await rest()

        assert leaver.worker is None
        assert boots.workers[1].is_reaped
        assert fleet.stats().retired[Why.DIED] == 1
        assert fleet.stats().spare == 1


async def test_a_request_that_is_cancelled_just_after_it_got_its_worker_loses_no_capacity(
    enter: Enter,
) -> None:
    boots = Boots()
    async with fleet_of(boots, size=1, spares=1) as fleet:
        await rest()
        async with fleet.lease(tenant=None, memory_mib=256, deadline=math.inf):
            leaver = await enter(fleet, "leaver", "a")
            last = await enter(fleet, "last", "b")
        leaver.scope.cancel()
        await rest()

        assert leaver.has_ended
        assert last.worker is not None
        assert (fleet.stats().busy, fleet.stats().waiting) == (1, 0)
        await finish(last)


async def test_everybody_is_served_when_workers_come_up_at_last(enter: Enter) -> None:
    boots = Boots(gate=anyio.Event())
    async with fleet_of(boots, size=3, spares=0) as fleet:
        callers = [await enter(fleet, str(number)) for number in range(9)]
        assert fleet.stats().booting == 3
        for caller in callers:
            caller.done.set()
        assert boots.gate is not None
        boots.gate.set()
        await rest()

        assert sorted(callers[0].log) == [str(number) for number in range(9)]
