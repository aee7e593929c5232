"""Workers that do not come up: once in a while, or not at all."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

import anyio
import anyio.lowlevel
import psutil
import pytest
from scenes import Scene, scene

from pool import Reason

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
