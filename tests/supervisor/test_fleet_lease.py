"""Who gets which worker, and what becomes of it after the run."""

from __future__ import annotations

import math

import anyio
import pytest
from fleets import IMPATIENT, fleet_of, rest, run_once, worker_of
from scripted import Boots, Clock

from pool.errors import PoolClosed
from pool.supervisor.facts import Condition, Policy, Why
from pool.wire.messages import End, How
from pool.worker.ending import Ending, Stop

pytestmark = pytest.mark.anyio


async def test_spares_boot_at_once_and_warm_up_while_nobody_waits() -> None:
    boots = Boots()
    async with fleet_of(boots, spares=2) as fleet:
        await rest()

        assert fleet.stats().spare == 2
        assert [worker.warmed for worker in boots.workers] == [1, 1]


async def test_a_worker_that_somebody_waits_for_is_not_warmed_up() -> None:
    async with fleet_of(Boots()) as fleet:
        worker = await run_once(fleet)

        assert worker.warmed == 0


async def test_without_tenant_every_run_has_a_process_of_its_own() -> None:
    boots = Boots()
    async with fleet_of(boots, spares=1) as fleet:
        workers = [await run_once(fleet) for _ in range(3)]
        await rest()

        assert len(set(workers)) == 3
        assert all(worker.is_reaped for worker in workers)
        assert fleet.stats().retired[Why.SINGLE_USE] == 3


async def test_a_tenant_gets_its_worker_again() -> None:
    boots = Boots()
    async with fleet_of(boots) as fleet:
        workers = [await run_once(fleet, "a") for _ in range(3)]

        assert len(set(workers)) == 1
        assert (fleet.stats().runs, fleet.stats().reuses) == (3, 2)


async def test_two_tenants_never_share_a_process() -> None:
    async with fleet_of(Boots(), size=1) as fleet:
        first = await run_once(fleet, "a")
        second = await run_once(fleet, "b")

        assert first is not second
        assert first.is_reaped


async def test_an_idle_worker_is_leased_without_a_task_switch() -> None:
    async with fleet_of(Boots()) as fleet:
        await run_once(fleet, "a")
        await rest()

        switched = anyio.Event()
        async with anyio.create_task_group() as group:
            group.start_soon(_set, switched)
            await run_once(fleet, "a")

            assert not switched.is_set()


async def _set(event: anyio.Event) -> None:
    event.set()


async def test_leaving_a_lease_waits_neither_for_the_reset_nor_for_the_kill() -> None:
    boots = Boots()
    async with fleet_of(boots, size=2, spares=2) as fleet:
        await rest()
        for worker in boots.workers:
            worker.ready_gate, worker.reap_gate = anyio.Event(), anyio.Event()

        with anyio.fail_after(5):
            kept = await run_once(fleet, "a")
            killed = await run_once(fleet)

        assert (kept.is_reaped, killed.is_reaped) == (False, False)
        for worker in boots.workers:
            assert worker.ready_gate is not None
            assert worker.reap_gate is not None
            worker.ready_gate.set()
            worker.reap_gate.set()


async def test_the_replacement_boots_while_the_run_is_under_way() -> None:
    boots = Boots()
    async with fleet_of(boots, spares=1) as fleet:
        await rest()
        async with fleet.lease(tenant=None, memory_mib=256, deadline=math.inf):
            await rest()

            assert fleet.stats().spare == 1
            assert len(boots.living) == 2


@pytest.mark.parametrize(
    ("ending", "condition"),
    [
        ({"is_clean": True, "how": How.COMPLETED}, Condition.CLEAN),
        ({"is_clean": False, "how": How.REFUSED}, Condition.UNUSED),
        ({"is_clean": False, "how": How.THREW}, Condition.UNCLEAN),
        ({"is_clean": False, "how": How.REFUSED, "stop": Stop.PROTOCOL}, Condition.UNCLEAN),
        ({"is_clean": False, "stop": Stop.TIMEOUT}, Condition.UNCLEAN),
    ],
)
async def test_an_ending_says_in_which_condition_the_worker_is(
    ending: dict[str, object], condition: Condition
) -> None:
    async with fleet_of(Boots()) as fleet:
        async with fleet.lease(tenant="a", memory_mib=256, deadline=math.inf) as lease:
            lease.release(_ending(**ending))

            assert lease.condition is condition


def _ending(*, is_clean: object, how: How | None = None, stop: Stop | None = None) -> Ending:
    end = None if how is None else End(1, how, (), None, (), 0, 0, {})
    return Ending(
        end=end,
        store=None,
        stop=stop,
        detail="",
        worker_end=None,
        hit_memory_limit=False,
        calls=(),
        open_calls={},
        notes=(),
        active_s=0.0,
        peak_rss_bytes=None,
        is_clean=bool(is_clean),
    )


async def test_a_worker_whose_run_did_not_end_cleanly_is_killed() -> None:
    async with fleet_of(Boots()) as fleet:
        first = await run_once(fleet, "a", condition=Condition.UNCLEAN)
        second = await run_once(fleet, "a")

        assert first is not second
        assert fleet.stats().retired[Why.UNCLEAN] == 1


async def test_an_error_inside_a_lease_kills_the_worker_and_comes_out_as_it_is() -> None:
    boots = Boots()
    async with fleet_of(boots) as fleet:
        with pytest.raises(ZeroDivisionError):
            async with fleet.lease(tenant="a", memory_mib=256, deadline=math.inf):
                raise ZeroDivisionError
        await rest()

        assert boots.workers[0].is_reaped


async def test_a_refused_program_does_not_count_as_a_run_of_its_worker() -> None:
    async with fleet_of(Boots(), policy=Policy(max_runs=1)) as fleet:
        first = await run_once(fleet, "a", condition=Condition.UNUSED)
        second = await run_once(fleet, "a", condition=Condition.CLEAN)
        third = await run_once(fleet, "a")

        assert first is second
        assert third is not second


async def test_a_worker_that_does_not_get_ready_again_is_killed() -> None:
    boots = Boots()
    async with fleet_of(boots, spares=1) as fleet:
        await rest()
        boots.workers[0].is_stuck = True
        first = await run_once(fleet, "a")
        second = await run_once(fleet, "a")

        assert first is not second
        assert fleet.stats().retired[Why.NOT_READY] == 1


async def test_a_worker_that_gained_too_much_memory_serves_no_further_run() -> None:
    boots = Boots()
    async with fleet_of(boots, spares=1) as fleet:
        await rest()
        boots.workers[0].grown_mib = 65
        first = await run_once(fleet, "a")
        second = await run_once(fleet, "a")

        assert first is not second
        assert fleet.stats().retired[Why.GROWTH] == 1
        assert first.peak_resets == 1


async def test_a_worker_that_is_too_old_serves_no_further_run() -> None:
    clock = Clock()
    async with fleet_of(Boots(), policy=IMPATIENT, clock=clock) as fleet:
        first = await run_once(fleet, "a")
        await rest()
        clock.ahead_s = IMPATIENT.max_age_s
        second = await run_once(fleet, "a")

        assert first is not second
        assert fleet.stats().retired[Why.AGE] == 1


async def test_an_idle_worker_that_becomes_too_old_is_killed_though_nobody_asks() -> None:
    clock = Clock()
    async with fleet_of(Boots(), policy=Policy(sweep_s=0.001), clock=clock) as fleet:
        worker = await run_once(fleet, "a")
        await rest()
        clock.ahead_s = Policy().max_age_s
        with anyio.fail_after(5):
            await worker.wait_dead()

        assert fleet.stats().retired[Why.AGE] == 1


async def test_a_cancelled_run_has_its_worker_reaped_before_the_cancellation_goes_on() -> None:
    async with fleet_of(Boots()) as fleet:
        with anyio.CancelScope() as scope:
            async with fleet.lease(tenant="a", memory_mib=256, deadline=math.inf) as lease:
                worker = worker_of(lease)
                scope.cancel()
                await anyio.sleep_forever()

        assert worker.is_reaped


async def test_a_caller_that_is_cancelled_already_takes_no_worker() -> None:
    async with fleet_of(Boots(), spares=1) as fleet:
        await rest()
        with anyio.CancelScope() as scope:
            scope.cancel()
            await run_once(fleet)

        assert fleet.stats().runs == 0


@pytest.mark.parametrize("tenant", ["a", None])
async def test_an_unused_worker_that_dies_is_replaced(tenant: str | None) -> None:
    boots = Boots()
    async with fleet_of(boots, spares=1) as fleet:
        await run_once(fleet, tenant)
        await rest()
        victims = boots.living
        for worker in victims:
            worker.die()
        await rest()

        assert all(worker.is_reaped for worker in victims)
        assert fleet.stats().retired[Why.DIED] == len(victims)
        assert fleet.stats().spare == 1


async def test_a_worker_that_dies_under_its_run_is_left_to_the_run() -> None:
    async with fleet_of(Boots()) as fleet:
        async with fleet.lease(tenant="a", memory_mib=256, deadline=math.inf) as lease:
            worker_of(lease).die()
            await rest()

            assert not worker_of(lease).is_reaped
        await rest()

        assert worker_of(lease).is_reaped


async def test_a_worker_that_dies_as_it_gets_ready_serves_no_further_run() -> None:
    async with fleet_of(Boots()) as fleet:
        first = await run_once(fleet, "a")
        first.die()
        second = await run_once(fleet, "a")

        assert first is not second


async def test_a_fleet_that_is_not_entered_has_no_workers_to_lease() -> None:
    fleet = fleet_of(Boots())

    with pytest.raises(PoolClosed):
        await run_once(fleet)


async def test_a_worker_whose_death_nobody_has_heard_of_yet_gets_no_run() -> None:
    boots = Boots()
    async with fleet_of(boots, spares=1) as fleet:
        await rest()
        dead = boots.workers[0]
        dead.is_silent_corpse = True

        assert await run_once(fleet) is not dead
        assert fleet.stats().retired[Why.DIED] == 1
