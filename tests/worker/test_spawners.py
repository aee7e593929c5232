"""There is always a spawner to ask for, or the reason why not."""

from __future__ import annotations

import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
import pytest
from anyio import wait_all_tasks_blocked
from anyio.abc import TaskGroup
from proc_files import exists, open_fds

from pool.errors import Unavailable
from pool.worker.spawner_link import SpawnerLink, open_link
from pool.worker.spawners import Spawners, open_spawners

pytestmark = pytest.mark.anyio


class Opening:
    """Starts real spawners; refuses while it is told to."""

    def __init__(self, tasks: TaskGroup) -> None:
        self._tasks = tasks
        self.refuses = False
        self.opened = 0

    async def __call__(self) -> SpawnerLink:
        if self.refuses:
            raise Unavailable("no more processes")
        await anyio.lowlevel.checkpoint()
        self.opened += 1
        return await open_link(self._tasks)


@asynccontextmanager
async def opening() -> AsyncIterator[tuple[Spawners, Opening]]:
    with anyio.fail_after(10):
        async with anyio.create_task_group() as tasks:
            open = Opening(tasks)
            async with open_spawners(open) as spawners:
                yield spawners, open


async def die(link: SpawnerLink) -> None:
    os.kill(link.pid, signal.SIGKILL)
    while link.is_alive:
        await anyio.lowlevel.checkpoint()


async def test_as_long_as_it_lives_it_is_the_same_one():
    async with opening() as (spawners, open):
        links = [await spawners.live() for _ in range(3)]

        assert links == [links[0]] * 3
        assert open.opened == 1


async def test_a_dead_one_is_reaped_and_replaced_by_one_that_works(command):
    async with opening() as (spawners, _):
        first = await spawners.live()
        before = open_fds()
        await die(first)
        second = await spawners.live()

        assert not exists(first.pid)
        assert open_fds() == before
        child = await second.spawn(command("/bin/true"))
        assert (await child.wait()).code == 0
        child.discard()


async def test_many_who_ask_at_once_get_the_same_new_one():
    links: list[SpawnerLink] = []

    async def ask() -> None:
        links.append(await spawners.live())

    async with opening() as (spawners, open):
        await die(await spawners.live())
        async with anyio.create_task_group() as asking:
            for _ in range(5):
                asking.start_soon(ask)

        assert len(links) == 5
        assert len(set(links)) == 1
        assert open.opened == 2


async def test_one_that_cannot_be_started_is_tried_again_by_whoever_asks_next():
    async with opening() as (spawners, open):
        await die(await spawners.live())
        open.refuses = True
        for _ in range(2):
            with pytest.raises(Unavailable, match="no more processes"):
                await spawners.live()
        open.refuses = False

        assert (await spawners.live()).is_alive


async def test_asking_may_be_cancelled():
    async with opening() as (spawners, open):
        await die(await spawners.live())
        with anyio.CancelScope() as scope:
            scope.cancel()
            await spawners.live()

        assert open.opened == 1
        assert (await spawners.live()).is_alive


async def test_leaving_leaves_nothing():
    async with opening() as (spawners, _):
        before = open_fds()
        pids = []
        for _ in range(2):
            link = await spawners.live()
            pids.append(link.pid)
            await die(link)
        pids.append((await spawners.live()).pid)
        await spawners.close()
        await wait_all_tasks_blocked()

        assert not any(map(exists, pids))
        assert open_fds() == before
        assert len(pids) == 3


async def test_nobody_asked_and_nothing_was_started():
    async with opening() as (_, open):
        pass

    assert open.opened == 0
