"""The code cache: filled by two boots, sealed, named, kept, and never trusted blindly."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import anyio
import anyio.lowlevel
import pytest

from pool.limits import Limits
from pool.wire.frames import FrameLimits
from pool.worker.cache_files import STALE_S, cache_key, is_trusted, remove_stale, user_cache_dir
from pool.worker.code_cache import open_code_cache
from pool.worker.deno import Deno, find_deno
from pool.worker.process import Worker, boot

pytestmark = pytest.mark.anyio

DENO = Deno("/bin/deno", "2.9.8")

# SQLite reads a WAL database without writing only while these lie beside it.
SIDE_FILES = ("-wal", "-shm")


class Boot:
    """Boots of the runtime that leave files, and a record of how each worker ended."""

    def __init__(self) -> None:
        self.ends: list[str] = []

    async def __call__(self, cache_dir: str) -> Boot:
        (Path(cache_dir) / f"boot{len(self.ends)}").write_text("code", encoding="utf-8")
        (Path(cache_dir) / "deeper").mkdir(exist_ok=True)
        await anyio.lowlevel.checkpoint()
        return self

    async def leave(self) -> None:
        self.ends.append("left")

    async def kill(self) -> None:
        self.ends.append("killed")


@pytest.fixture
def runtime(tmp_path: Path) -> Path:
    directory = tmp_path / "runtime_js"
    (directory / "guest").mkdir(parents=True)
    (directory / "main.js").write_text("run()", encoding="utf-8")
    (directory / "guest" / "lock.js").write_text("lock()", encoding="utf-8")
    return directory


@pytest.fixture
def user_dir(tmp_path: Path) -> Path:
    directory = tmp_path / "caches"
    directory.mkdir(mode=0o700)
    return directory


def mode(path: Path) -> int:
    return path.lstat().st_mode & 0o777


def modes(directory: Path) -> dict[str, int]:
    return {path.name: mode(path) for path in directory.iterdir()}


async def test_boots_fill_it_and_nobody_writes_it_afterwards(runtime, user_dir) -> None:
    filling = Boot()
    async with open_code_cache(DENO, runtime, user_dir=user_dir, boot=filling) as found:
        cache = Path(found)

        assert filling.ends == ["left", "left", "killed"]
        assert cache.parent == user_dir
        assert modes(cache) == {
            "boot0": 0o444,
            "boot1": 0o444,
            "boot2": 0o444,
            "deeper": 0o555,
        }
        assert modes(user_dir) == {cache.name: 0o555}


async def test_it_is_kept_for_the_next_process(runtime, user_dir) -> None:
    async with open_code_cache(DENO, runtime, user_dir=user_dir, boot=Boot()) as first:
        pass
    filling = Boot()
    async with open_code_cache(DENO, runtime, user_dir=user_dir, boot=filling) as second:
        pass

    assert second == first
    assert filling.ends == []


async def test_those_who_fill_it_at_once_do_not_disturb_each_other(runtime, user_dir) -> None:
    found: set[str] = set()

    async def fill() -> None:
        async with open_code_cache(DENO, runtime, user_dir=user_dir, boot=Boot()) as cache:
            found.add(cache)
            assert is_trusted(Path(cache))

    async with anyio.create_task_group() as tasks:
        for _ in range(4):
            tasks.start_soon(fill)

    assert len(found) == 1
    assert [str(path) for path in user_dir.iterdir()] == list(found)


@pytest.mark.parametrize("user_dir_given", [True, False])
async def test_a_filling_that_is_cancelled_leaves_nothing(
    runtime, user_dir, tmp_path, monkeypatch, user_dir_given
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with anyio.CancelScope() as scope:

        async def boot_and_cancel(cache_dir: str) -> None:
            (Path(cache_dir) / "half").write_text("code", encoding="utf-8")
            scope.cancel()
            await anyio.sleep_forever()

        place = user_dir if user_dir_given else None
        async with open_code_cache(DENO, runtime, user_dir=place, boot=boot_and_cancel):
            pytest.fail("it was never filled")

    assert list(user_dir.iterdir()) == []
    assert {path.name for path in tmp_path.iterdir()} == {"runtime_js", "caches"}


async def test_without_a_place_to_keep_it_it_is_temporary(runtime) -> None:
    async with open_code_cache(DENO, runtime, user_dir=None, boot=Boot()) as found:
        cache = Path(found)
        assert mode(cache / "boot1") == 0o444

    assert not cache.parent.exists()


async def test_a_cache_that_others_can_write_is_not_used(runtime, user_dir) -> None:
    async with open_code_cache(DENO, runtime, user_dir=user_dir, boot=Boot()) as kept:
        os.chmod(kept, 0o777)
    async with open_code_cache(DENO, runtime, user_dir=user_dir, boot=Boot()) as found:
        assert Path(found).parent != user_dir


async def test_a_link_in_the_place_of_the_cache_is_not_used(runtime, user_dir, tmp_path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (user_dir / cache_key(DENO, runtime)).symlink_to(tmp_path / "elsewhere")
    async with open_code_cache(DENO, runtime, user_dir=user_dir, boot=Boot()) as found:
        assert Path(found).parent != user_dir


async def test_a_link_that_leads_nowhere_is_not_used_either(runtime, user_dir, tmp_path) -> None:
    (user_dir / cache_key(DENO, runtime)).symlink_to(tmp_path / "nothing")
    async with open_code_cache(DENO, runtime, user_dir=user_dir, boot=Boot()) as found:
        assert Path(found).parent != user_dir


async def test_what_a_link_in_it_points_to_keeps_its_mode(runtime, user_dir, tmp_path) -> None:
    binary = tmp_path / "deno"
    binary.touch(mode=0o755)

    class LinkToBinary(Boot):
        async def __call__(self, cache_dir: str) -> Boot:
            (Path(cache_dir) / f"node{len(self.ends)}").symlink_to(binary)
            return self

    async with open_code_cache(DENO, runtime, user_dir=user_dir, boot=LinkToBinary()):
        assert mode(binary) == 0o755


def test_the_name_depends_on_version_content_names_and_place(runtime: Path) -> None:
    keys = {cache_key(DENO, runtime), cache_key(Deno("/bin/deno", "2.9.9"), runtime)}
    shutil.copytree(runtime, runtime.with_name("copy"))
    keys.add(cache_key(DENO, runtime.with_name("copy")))
    (runtime / "main.js").write_text("run() ", encoding="utf-8")
    keys.add(cache_key(DENO, runtime))
    (runtime / "main.js").rename(runtime / "other.js")
    keys.add(cache_key(DENO, runtime))

    assert len(keys) == 5
    assert all(key.startswith("deno-2.9.") for key in keys)


def test_stale_caches_of_ours_are_removed_and_nothing_else(user_dir: Path) -> None:
    names = [
        "deno-2.9.4-x86_64-0123456789abcdef",
        "filling-ab_c1",
        "deno-2.9.8-x86_64-aaaaaaaaaaaaaaaa",
        "somebody-elses",
    ]
    for name in names:
        (user_dir / name / "inside").mkdir(parents=True)
        os.chmod(user_dir / name / "inside", 0o555)
        os.utime(user_dir / name, (1000.0, 1000.0))

    remove_stale(user_dir, keep=names[2], now=1000.0 + STALE_S - 1)
    assert {path.name for path in user_dir.iterdir()} == set(names)

    remove_stale(user_dir, keep=names[2], now=1000.0 + STALE_S + 1)
    assert {path.name for path in user_dir.iterdir()} == set(names[2:])


def test_the_users_directory_follows_the_environment(tmp_path: Path) -> None:
    home = {"HOME": str(tmp_path / "home")}

    assert user_cache_dir(home) == tmp_path / "home/.cache/codepool"
    assert user_cache_dir({"XDG_CACHE_HOME": str(tmp_path / "x")}) == tmp_path / "x/codepool"
    assert user_cache_dir({**home, "XDG_CACHE_HOME": "x"}) == tmp_path / "home/.cache/codepool"
    assert user_cache_dir({}) is None


def test_a_users_directory_that_others_can_write_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "codepool").mkdir()
    (tmp_path / "codepool").chmod(0o777)

    assert user_cache_dir({"XDG_CACHE_HOME": str(tmp_path)}) is None


def test_a_users_directory_that_cannot_be_made_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    assert user_cache_dir({"XDG_CACHE_HOME": str(tmp_path / "file")}) is None


async def test_denos_files_can_be_read_without_being_written(
    spawning, fake, user_dir, runtime
) -> None:
    with anyio.fail_after(15):
        async with spawning() as (link, tasks):

            async def start(cache_dir: str) -> Worker:
                return await boot(
                    link,
                    fake("ready", cache_dir),
                    frame_limits=FrameLimits.of(Limits()),
                    memory_mib=256,
                    task_group=tasks,
                )

            deno = find_deno()
            async with open_code_cache(deno, runtime, user_dir=user_dir, boot=start) as cache:
                found = modes(Path(cache))

            databases = {name for name in found if name.endswith("_v2")}
            assert databases
            assert all(found[name + side] == 0o444 for name in databases for side in SIDE_FILES)
            assert os.access(deno.path, os.X_OK)
