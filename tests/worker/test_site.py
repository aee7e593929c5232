"""Workers of a pool with everything real: Deno, runtime, cache, home."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from dataclasses import replace
from functools import partial
from pathlib import Path

import anyio
import pytest
from proc_files import children_of, open_fds, read, status

from pool.errors import ConfinementUnavailable
from pool.limits import MIB, Limits
from pool.wire.frames import FrameLimits
from pool.worker.cache_files import remove
from pool.worker.deno import find_deno, runtime_dir
from pool.worker.exit import EndKind
from pool.worker.layers import WORKER_UID, Layer, Profile, active
from pool.worker.machine import inspect_machine
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
                assert os.readlink(f"/proc/{child.pid}/cwd") == "/"
                child.discard()


async def test_the_cache_stays_for_the_next_pool_and_nothing_else_does(
    spawning, cache_home
) -> None:
    caches = []
    with anyio.fail_after(15):
        async with spawning() as (link, tasks):
            before = open_fds()
            for _ in range(2):
                opened = open_site(link, limits=Limits(), task_group=tasks, profile=Profile.OFF)
                async with opened as site:
                    caches.append(site.launch.env["DENO_DIR"])

            assert children_of(link.pid) == []
            assert open_fds() == before
    assert caches[0] == caches[1]
    assert [str(path) for path in (cache_home / "codepool").iterdir()] == caches[:1]


async def test_the_kernel_holds_a_worker_as_far_as_this_machine_can(spawning) -> None:
    with anyio.fail_after(15):
        async with spawning() as (link, tasks):
            async with open_site(link, limits=Limits(), task_group=tasks) as site:
                layers = active(site.layers)
                child = await link.spawn(site.launch)

                assert status(child.pid, "NoNewPrivs") == "1"
                assert os.getpriority(os.PRIO_PROCESS, child.pid) > os.getpriority(
                    os.PRIO_PROCESS, 0
                )
                assert (status(child.pid, "Seccomp") == "2") is (Layer.CALLS in layers)
                uid = WORKER_UID if Layer.USER in layers else os.geteuid()
                assert status(child.pid, "Uid").split() == [str(uid)] * 4
                assert status(child.pid, "Groups") == "" or Layer.USER not in layers
                child.discard()


async def test_off_takes_none_of_the_layers(spawning) -> None:
    with anyio.fail_after(15):
        async with spawning() as (link, tasks):
            opened = open_site(link, limits=Limits(), task_group=tasks, profile=Profile.OFF)
            async with opened as site:
                child = await link.spawn(site.launch)

                assert status(child.pid, "Seccomp") == "0"
                assert status(child.pid, "Uid").split() == [str(os.geteuid())] * 4
                child.discard()


async def test_a_missing_layer_keeps_a_required_site_from_opening(spawning, monkeypatch) -> None:
    without = replace(inspect_machine(), landlock_abi=0, landlock_errno=errno.EOPNOTSUPP)
    monkeypatch.setattr("pool.worker.site.inspect_machine", lambda uid: without)
    async with spawning() as (link, tasks):
        required = open_site(link, limits=Limits(), task_group=tasks)
        with pytest.raises(ConfinementUnavailable, match=r"Landlock is not enabled; boot"):
            await required.__aenter__()

        degraded = open_site(link, limits=Limits(), task_group=tasks, profile=Profile.AUTO)
        async with degraded as site:
            assert Layer.FILES not in active(site.layers)
            assert site.launch.confinement.rules is None


def open_directory() -> Path:
    """A directory that every user can enter, which those of a test's own are not."""
    directory = Path(tempfile.mkdtemp(dir="/tmp"))
    directory.chmod(0o755)
    return directory


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has workers of another user")
async def test_a_host_of_root_below_a_closed_folder_starts_workers_from_a_copy(
    spawning, monkeypatch, tmp_path
) -> None:
    closed = tmp_path / "closed"
    deno = find_deno()
    shutil.copytree(runtime_dir(), closed / "runtime_js")
    shutil.copy(deno.path, closed / "deno")
    closed.chmod(0o700)
    shared = open_directory()
    site_of = "pool.worker.site."
    monkeypatch.setattr(site_of + "find_deno", lambda: replace(deno, path=str(closed / "deno")))
    monkeypatch.setattr(site_of + "runtime_dir", lambda: closed / "runtime_js")
    monkeypatch.setattr(site_of + "shared_dir", lambda: shared)
    try:
        with anyio.fail_after(15):
            async with spawning() as (link, tasks):
                async with open_site(link, limits=Limits(), task_group=tasks) as site:
                    worker = await boot(
                        link,
                        site.launch,
                        frame_limits=FrameLimits.of(Limits()),
                        memory_mib=256,
                        task_group=tasks,
                    )

                    assert site.launch.argv[0].startswith(f"{shared}/")
                    assert str(closed) not in " ".join(site.launch.argv)
                    assert await worker.kill() is EndKind.KILLED
    finally:
        remove(shared)
