"""Workers that do not come up."""

from __future__ import annotations

import math
from collections import deque

import anyio
import pytest
from fleets import IMPATIENT, fleet_of, rest, run_once
from scripted import Boots

from pool.errors import BootFailed
from pool.supervisor.facts import Policy, Refusal

pytestmark = pytest.mark.anyio

PATIENT = Policy(first_retry_s=60.0, longest_retry_s=60.0)


async def test_a_boot_that_fails_is_tried_again() -> None:
    boots = Boots(failures=deque(["one", "two"]))
    async with fleet_of(boots) as fleet:
        with anyio.fail_after(5):
            await run_once(fleet)

        assert (fleet.stats().boot_failures, fleet.stats().boots) == (2, 1)


async def test_who_waits_is_told_the_last_reason_after_too_many_failures() -> None:
    boots = Boots(failures=deque(["one", "two", "three"]))
    async with fleet_of(boots) as fleet:
        with anyio.fail_after(5), pytest.raises(BootFailed, match=r"3 attempts failed: three$"):
            await run_once(fleet)

        assert boots.begun == IMPATIENT.max_boot_failures
        assert fleet.stats().refused[Refusal.BOOT_FAILED] == 1


async def test_a_later_request_gets_a_new_attempt() -> None:
    boots = Boots(failures=deque(["one", "two", "three"]))
    async with fleet_of(boots) as fleet:
        with pytest.raises(BootFailed):
            await run_once(fleet)
        with anyio.fail_after(5):
            await run_once(fleet)

        assert boots.begun == 4


async def test_a_later_request_is_told_after_one_more_failure() -> None:
    boots = Boots(always_fails="broken")
    async with fleet_of(boots) as fleet:
        with anyio.fail_after(5):
            for attempts in (3, 4, 5):
                with pytest.raises(BootFailed, match="broken"):
                    await run_once(fleet)

                assert boots.begun == attempts


async def test_at_its_deadline_a_request_is_told_that_boots_fail() -> None:
    boots = Boots(always_fails="broken")
    async with fleet_of(boots, policy=PATIENT) as fleet:
        with anyio.fail_after(5), pytest.raises(BootFailed, match="1 attempts failed: broken"):
            await run_once(fleet, deadline=anyio.current_time() + 0.01)

        assert boots.begun == 1


async def test_spares_that_fail_together_are_one_failure_and_retried_one_by_one() -> None:
    boots = Boots(failures=deque(["a", "b", "c"]))
    async with fleet_of(boots, spares=3) as fleet:
        with anyio.fail_after(5):
            while fleet.stats().spare < 3:
                await anyio.lowlevel.checkpoint()

        assert fleet.stats().boot_failures == 3
        assert fleet.stats().refused[Refusal.BOOT_FAILED] == 0


async def test_after_a_failure_nothing_boots_before_the_pause_is_over() -> None:
    boots = Boots(always_fails="broken")
    async with fleet_of(boots, spares=3, policy=PATIENT) as fleet:
        await rest()

        assert (boots.begun, fleet.stats().booting) == (3, 0)


async def test_any_error_of_a_boot_is_a_failed_boot_and_the_fleet_goes_on() -> None:
    boots = Boots(failures=deque([OSError("no such file"), ZeroDivisionError()]))
    async with fleet_of(boots) as fleet:
        with anyio.fail_after(5):
            await run_once(fleet)

        assert fleet.stats().boot_failures == 2


async def test_a_worker_that_breaks_in_its_warm_up_is_killed_and_replaced() -> None:
    boots = Boots(broken_warm_ups=1)
    async with fleet_of(boots, spares=1) as fleet:
        with anyio.fail_after(5):
            while fleet.stats().spare < 1:
                await anyio.lowlevel.checkpoint()

        assert [worker.is_reaped for worker in boots.workers] == [True, False]


async def test_a_request_waits_for_no_boot_when_its_own_worker_comes_back() -> None:
    boots = Boots()
    async with fleet_of(boots, size=1) as fleet:
        await run_once(fleet, "a")
        boots.always_fails = "broken"
        for _ in range(3):
            await run_once(fleet, "a", deadline=math.inf)

        assert boots.begun == 1
