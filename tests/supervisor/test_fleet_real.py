"""A fleet over real workers: boots, reuse, replacement and death, as seen by the kernel."""

from __future__ import annotations

import math
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import anyio
import psutil
import pytest

from pool.limits import Limits
from pool.supervisor.facts import Condition, Why
from pool.supervisor.fleet import Fleet
from pool.wire.frames import FrameLimits
from pool.worker.process import boot
from pool.worker.site import open_site
from pool.worker.spawner_link import open_spawner

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(60)]


@asynccontextmanager
async def real_fleet(*, size: int, spares: int) -> AsyncIterator[Fleet]:
    limits = Limits()
    async with (
        anyio.create_task_group() as tasks,
        open_spawner(tasks) as link,
        open_site(link, limits=limits, task_group=tasks) as site,
    ):
        start = partial(
            boot,
            link,
            site.launch,
            frame_limits=FrameLimits.of(limits),
            memory_mib=limits.memory_mib,
            task_group=tasks,
        )
        async with Fleet(boot=start, size=size, spares=spares, max_queue=10) as fleet:
            yield fleet


async def lease_once(fleet: Fleet, tenant: str | None, condition: Condition) -> int:
    async with fleet.lease(tenant=tenant, memory_mib=256, deadline=math.inf) as lease:
        lease.condition = condition
        return lease.worker.pid


async def wait_for_spare(fleet: Fleet) -> None:
    with anyio.fail_after(20):
        while fleet.stats().spare == 0:
            await anyio.lowlevel.checkpoint()


async def test_every_process_of_a_fleet_is_gone_when_it_ends() -> None:
    async with real_fleet(size=2, spares=1) as fleet:
        pids = [await lease_once(fleet, None, Condition.UNCLEAN) for _ in range(3)]
        await wait_for_spare(fleet)
        async with fleet.lease(tenant="a", memory_mib=256, deadline=math.inf) as lease:
            pids.append(lease.worker.pid)
            assert psutil.pid_exists(lease.worker.pid)
            assert fleet.stats().load.rss_bytes > 0

    assert len(set(pids)) == 4
    assert [pid for pid in pids if psutil.pid_exists(pid)] == []


async def test_a_spare_that_is_killed_from_outside_is_replaced() -> None:
    async with real_fleet(size=1, spares=1) as fleet:
        await wait_for_spare(fleet)
        first = await _pid_of_spare(fleet)
        os.kill(first, signal.SIGKILL)
        with anyio.fail_after(20):
            while fleet.stats().retired[Why.DIED] == 0:
                await anyio.lowlevel.checkpoint()
        await wait_for_spare(fleet)

        assert await _pid_of_spare(fleet) != first


async def _pid_of_spare(fleet: Fleet) -> int:
    (spare,) = (child.pid for child in psutil.Process().children(recursive=True) if _is_deno(child))
    return spare


def _is_deno(process: psutil.Process) -> bool:
    return "deno" in process.name()
