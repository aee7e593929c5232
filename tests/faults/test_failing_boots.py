"""Workers that do not come up: once in a while, or not at all."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

import anyio
import anyio.lowlevel
import psutil
import pytest
from live_pools import watched_pool
from scenes import Scene, scene

from pool import Pool, Reason
from pool.errors import BootFailed

pytestmark = pytest.mark.anyio

# As many failures as a waiting run is asked to bear; see `Policy.max_boot_failures`.
HOPELESS = 3


@dataclass
class Killer:
    """Kills workers as soon as they are started, so many of them."""

    scene: Scene
    most: int
    killed: int = 0

    async def run(self) -> None:
        known = set(self.scene.processes.workers())
        while self.killed < self.most:
            for worker in set(self.scene.processes.spawner.children()) - known:
                known.add(worker)
                with suppress(psutil.NoSuchProcess):
                    worker.kill()
                    self.killed += 1
            await anyio.lowlevel.checkpoint()


@asynccontextmanager
async def killing(scene: Scene, most: int) -> AsyncIterator[Killer]:
    killer = Killer(scene, most)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(killer.run)
        await anyio.lowlevel.checkpoint()
        yield killer
        tasks.cancel_scope.cancel()


@pytest.mark.parametrize("failures", range(1, HOPELESS))
async def test_a_run_waits_for_the_boot_that_succeeds_at_last(failures: int):
    async with scene() as stage, killing(stage, failures) as killer:
        outcome = await stage.run("return 1")

        assert outcome.value == 1, outcome.error
        assert killer.killed == failures
        assert stage.pool.stats().boot_failures == failures


async def test_after_too_many_failures_a_run_is_told_the_reason_and_a_later_one_works():
    async with scene() as stage:
        async with killing(stage, HOPELESS):
            told = await stage.run("return 1")
        later = await stage.run("return 2")

        assert told.reason is Reason.UNAVAILABLE
        assert told.error.message.startswith(
            f"workers do not come up, {HOPELESS} attempts failed: a worker did not come up"
        )
        assert "(killed)" in told.error.message
        assert later.value == 2


async def kill_every_worker(known: list[psutil.Process]) -> None:
    """Kill every worker of a pool that is about to come up, for as long as it tries."""
    host = psutil.Process()
    while True:
        for spawner in (child for child in host.children() if child not in known):
            with suppress(psutil.NoSuchProcess):
                for worker in spawner.children():
                    worker.kill()
        await anyio.lowlevel.checkpoint()


@pytest.mark.parametrize("spares", [0, 2])
async def test_a_pool_whose_workers_do_not_come_up_is_not_entered(spares: int):
    async with scene():
        children = psutil.Process().children()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(kill_every_worker, children)
            with pytest.raises(BootFailed, match=r"did not come up: .* \(killed\)"):
                async with Pool(size=1, spares=spares):
                    pass
            tasks.cancel_scope.cancel()

        assert psutil.Process().children() == children
        async with Pool(size=1, spares=spares) as control:
            assert (await control.run("return 1")).value == 1


async def test_a_pool_that_nobody_used_leaves_no_worker():
    async with scene(), watched_pool() as (_, processes):
        [worker] = processes.workers()

    assert not worker.is_running()
