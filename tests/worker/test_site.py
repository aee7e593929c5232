"""Workers of a pool with everything real: Deno, runtime, cache, home."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import anyio
import pytest
from proc_files import children_of, open_fds, read

from pool.limits import MIB, Limits
from pool.wire.frames import FrameLimits
from pool.worker.exit import EndKind
from pool.worker.process import boot
from pool.worker.site import open_site

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def cache_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path


async def test_the_runtime_comes_up_leaves_and_comes_up_again(spawning) -> None:
    with anyio.fail_after(15):
        async with spawning() as (link, tasks):
            async with open_site(link, limits=Limits(), task_group=tasks) as site:
                start = partial(
                    boot,
                    link,
                    site.launch,
                    frame_limits=FrameLimits.of(Limits()),
                    memory_mib=256,
                    task_group=tasks,
                )
                worker = await start()

                assert (worker.hello.time_zone, worker.hello.locale) == ("UTC", "en-US")
                assert worker.hello.deno == site.deno.version
                assert worker.baseline_data_bytes > 16 * MIB
                await worker.warm()
                assert await worker.leave() is EndKind.CLEAN
                again = await start()
                assert await again.kill() is EndKind.KILLED


async def test_a_worker_knows_nothing_of_its_host(spawning, monkeypatch) -> None:
    monkeypatch.setenv("CODEPOOL_SECRET", "s3cret")
    assert os.environ["CODEPOOL_SECRET"] == "s3cret"
    with anyio.fail_after(15):
        async with spawning() as (link, tasks):
            async with open_site(link, limits=Limits(), task_group=tasks) as site:
                child = await link.spawn(site.launch)

                assert "s3cret" not in read(child.pid, "environ")
                assert read(child.pid, "environ").count("\0") == len(site.launch.env)
                assert os.readlink(f"/proc/{child.pid}/cwd") == site.launch.cwd
                assert os.listdir(site.launch.cwd) == []
                child.discard()

            assert not os.path.lexists(site.launch.cwd)  # noqa: ASYNC240 (one look)


async def test_the_cache_stays_for_the_next_pool_and_nothing_else_does(
    spawning, cache_home
) -> None:
    caches = []
    with anyio.fail_after(15):
        async with spawning() as (link, tasks):
            before = open_fds()
            for _ in range(2):
                async with open_site(link, limits=Limits(), task_group=tasks) as site:
                    caches.append(site.launch.env["DENO_DIR"])

            assert children_of(link.pid) == []
            assert open_fds() == before
    assert caches[0] == caches[1]
    assert [str(path) for path in (cache_home / "codepool").iterdir()] == caches[:1]
