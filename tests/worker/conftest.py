"""Spawners and launches for the tests of this room."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from pathlib import Path

import anyio
import pytest
from anyio.abc import TaskGroup

from pool.worker.deno import find_deno
from pool.worker.launch import Launch, plan
from pool.worker.spawner_link import SpawnerLink, open_spawner

FakeLaunch = Callable[..., Launch]
Spawning = Callable[[], AbstractAsyncContextManager[tuple[SpawnerLink, TaskGroup]]]


@pytest.fixture(scope="session")
def deno_path() -> str:
    return find_deno().path


@pytest.fixture
def fake(deno_path: str, tmp_path: Path) -> FakeLaunch:
    """Launches `fake_worker.js` in a mode, the way a real worker is launched."""
    script = Path(__file__).with_name("fake_worker.js")

    def launch(mode: str, cache_dir: str = str(tmp_path / "deno")) -> Launch:
        real = plan(
            deno=deno_path,
            runtime_dir="/unused",
            cache_dir=cache_dir,
            memory_mib=256,
            timeout_s=600,
        )
        return replace(real, argv=(*real.argv[:-1], str(script), mode))

    return launch


@pytest.fixture
def command(tmp_path: Path) -> Callable[..., Launch]:
    """Launches any program; a spawner does not know what it starts."""

    def launch(*argv: str) -> Launch:
        return Launch(argv=argv, env={}, cwd=str(tmp_path), rlimits={"NOFILE": (64, 64)})

    return launch


@pytest.fixture
def spawning() -> Spawning:
    """Opens a spawner, with the task group that its reader runs in."""

    @asynccontextmanager
    async def open_both() -> AsyncIterator[tuple[SpawnerLink, TaskGroup]]:
        async with anyio.create_task_group() as tasks, open_spawner(tasks) as link:
            yield link, tasks

    return open_both
