"""How a fleet ends: drained, cancelled, or by an error of its user. No worker is left, ever."""

from __future__ import annotations

import math

import anyio
import pytest
from anyio.abc import TaskGroup
from fleets import Caller, fleet_of, rest, run_once, worker_of
from scripted import Boots

from pool.errors import PoolClosed
from pool.supervisor.facts import Refusal, Why

pytestmark = pytest.mark.anyio


async def test_leaving_kills_and_reaps_every_worker() -> None:
    boots = Boots()
    async with fleet_of(boots, size=2, spares=2) as fleet:
        await run_once(fleet, "a")
        await rest()

    assert len(boots.workers) == 3
    assert boots.living == []


async def test_leaving_waits_for_the_runs_under_way(tasks: TaskGroup) -> None:
    boots, log = Boots(), list[str]()
    async with anyio.create_task_group() as group:
        async with fleet_of(boots, size=1) as fleet:
            caller = Caller(fleet, "a", "a", log)
            tasks.start_soon(caller)
            await rest()
            group.start_soon(_let_go_when_closed, fleet, caller)

    assert caller.lease is not None
    assert caller.lease.killed_for is None
    assert boots.living == []


async def _let_go_when_closed(fleet: object, caller: Caller) -> None:
    await rest()
    caller.done.set()


async def test_draining_refuses_who_waits_and_who_comes(tasks: TaskGroup) -> None:
    log = list[str]()
    async with fleet_of(Boots(), size=1) as fleet:
        busy, waiting = (Caller(fleet, None, name, log) for name in ("busy", "waiting"))
        tasks.start_soon(busy)
        await rest()
        tasks.start_soon(waiting)
        await rest()
        tasks.start_soon(fleet.drain)
        await rest()

        assert isinstance(waiting.error, PoolClosed)
        assert fleet.stats().refused[Refusal.CLOSED] == 1
        with pytest.raises(PoolClosed):
            await run_once(fleet)
        busy.done.set()


async def test_draining_says_whether_all_runs_have_ended(tasks: TaskGroup) -> None:
    log = list[str]()
    async with fleet_of(Boots(), size=1) as fleet:
        busy = Caller(fleet, None, "busy", log)
        tasks.start_soon(busy)
        await rest()

        assert not await fleet.drain(within_s=0)
        busy.done.set()
        assert await fleet.drain(within_s=5)


async def test_an_idle_fleet_is_drained_at_once() -> None:
    async with fleet_of(Boots(), spares=2) as fleet:
        await rest()

        assert await fleet.drain(within_s=0)


async def test_a_cancelled_fleet_leaves_no_worker_whatever_it_was_doing() -> None:
    boots = Boots()
    with anyio.CancelScope() as scope:
        async with fleet_of(boots, size=3, spares=1) as fleet:
            await run_once(fleet, "idle")
            await rest()
            boots.workers[0].ready_gate = anyio.Event()
            await run_once(fleet, "idle")
            async with fleet.lease(tenant="busy", memory_mib=256, deadline=math.inf):
                await rest()
                boots.gate = anyio.Event()
                await run_once(fleet)
                await rest()
                states = fleet.stats()
                scope.cancel()
                await anyio.sleep_forever()

    assert (states.busy, states.booting) == (1, 1)
    assert boots.living == []


async def test_cancelling_waits_until_the_workers_are_reaped(tasks: TaskGroup) -> None:
    boots = Boots()
    left = anyio.Event()
    scope = anyio.CancelScope()

    async def own_a_fleet() -> None:
        with scope:
            async with fleet_of(boots, spares=1):
                await anyio.sleep_forever()
        left.set()

    tasks.start_soon(own_a_fleet)
    await rest()
    gate = boots.workers[0].reap_gate = anyio.Event()
    scope.cancel()
    await rest()

    assert not left.is_set()
    gate.set()
    with anyio.fail_after(5):
        await left.wait()


async def test_a_run_whose_fleet_is_cancelled_has_its_worker_killed_and_is_told(
    tasks: TaskGroup,
) -> None:
    boots, log = Boots(), list[str]()
    with anyio.CancelScope() as scope:
        async with fleet_of(boots, size=1) as fleet:
            caller = Caller(fleet, "a", "a", log)
            tasks.start_soon(caller)
            await rest()
            tasks.start_soon(_let_go_when_dead, caller)
            scope.cancel()
            await anyio.sleep_forever()

    assert caller.lease is not None
    assert caller.lease.killed_for == "shutdown"
    assert boots.living == []


async def _let_go_when_dead(caller: Caller) -> None:
    assert caller.worker is not None
    await caller.worker.wait_dead()
    assert not caller.worker.is_reaped, "its last words are still to be read"
    caller.done.set()


async def test_an_error_of_the_user_comes_out_as_it_is_and_leaves_no_worker() -> None:
    boots = Boots()

    async def fail_in_a_fleet() -> None:
        async with fleet_of(boots, spares=2):
            await rest()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail_in_a_fleet()
    assert len(boots.workers) == 2
    assert boots.living == []


async def test_a_boot_under_way_is_given_up() -> None:
    boots = Boots(gate=anyio.Event())
    async with fleet_of(boots, spares=2) as fleet:
        await rest()
        assert fleet.stats().booting == 2

    assert boots.workers == []
    assert fleet.stats().retired[Why.SHUTDOWN] == 2
    assert sum(fleet.stats().workers.values()) == 0


async def test_a_lease_that_ends_after_its_fleet_does_no_harm() -> None:
    boots = Boots()
    fleet = fleet_of(boots, size=1)
    lease_context = fleet.lease(tenant="a", memory_mib=256, deadline=math.inf)
    with anyio.CancelScope() as scope:
        async with fleet:
            lease = await lease_context.__aenter__()
            worker = worker_of(lease)
            boots.workers[0].die()
            scope.cancel()
    await lease_context.__aexit__(None, None, None)

    assert worker.is_reaped
