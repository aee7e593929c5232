"""Deno and the runtime for a user who cannot pass through a folder of root's."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from pool.errors import ConfinementUnavailable
from pool.worker.deno import Deno
from pool.worker.layers import WORKER_UID
from pool.worker.place import open_place
from pool.worker.reachable import is_reachable, shared_dir


@pytest.fixture
def base(tmp_path: Path) -> Iterator[Path]:
    """A directory that everyone can enter; pytest's own are private."""
    path = Path("/tmp") / f"place-{os.getpid()}-{tmp_path.name}"
    path.mkdir()
    path.chmod(0o755)
    yield path
    shutil.rmtree(path)


@pytest.fixture
def deno(base: Path) -> Deno:
    program = base / "home" / "bin" / "deno"
    program.parent.mkdir(parents=True)
    shutil.copy("/bin/echo", program)
    return Deno(str(program), "2.9.8")


@pytest.fixture
def runtime(base: Path) -> Path:
    path = base / "home" / "runtime_js"
    (path / "guest").mkdir(parents=True)
    (path / "main.js").write_text("main")
    (path / "guest" / "realm.js").write_text("realm")
    return path


def hide(base: Path) -> None:
    (base / "home").chmod(0o700)


def names(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


def test_what_everyone_can_reach_is_used_where_it_is(base: Path, deno: Deno, runtime: Path) -> None:
    with open_place(deno, runtime, is_other_user=True, shared=None) as place:
        assert (place.deno, place.runtime_dir) == (deno.path, str(runtime))


def test_the_same_user_needs_no_copy(base: Path, deno: Deno, runtime: Path) -> None:
    hide(base)

    with open_place(deno, runtime, is_other_user=False, shared=None) as place:
        assert (place.deno, place.runtime_dir) == (deno.path, str(runtime))


def test_what_lies_below_a_private_folder_is_copied_once(
    base: Path, deno: Deno, runtime: Path
) -> None:
    hide(base)
    shared = shared_dir(base / "shared")
    assert shared is not None

    with open_place(deno, runtime, is_other_user=True, shared=shared) as first:
        made_at = Path(first.deno).stat().st_ctime_ns
    with open_place(deno, runtime, is_other_user=True, shared=shared) as second:
        assert second == first
        assert Path(second.deno).stat().st_ctime_ns == made_at

    copied = Path(first.runtime_dir)
    assert is_reachable(Path(first.deno))
    assert is_reachable(copied)
    assert (copied / "guest" / "realm.js").read_text() == "realm"
    assert len(names(shared)) == 1


def test_a_copy_that_was_half_tidied_away_is_made_again(
    base: Path, deno: Deno, runtime: Path
) -> None:
    hide(base)
    shared = shared_dir(base / "shared")
    with open_place(deno, runtime, is_other_user=True, shared=shared) as first:
        Path(first.deno).unlink()

    with open_place(deno, runtime, is_other_user=True, shared=shared) as second:
        assert second == first
        assert is_reachable(Path(second.deno))


def test_a_file_called_like_a_copy_is_left_alone(base: Path, deno: Deno, runtime: Path) -> None:
    hide(base)
    shared = shared_dir(base / "shared")
    assert shared is not None
    (shared / "copy-deno-x").touch()

    with open_place(deno, runtime, is_other_user=True, shared=shared) as place:
        assert Path(place.deno).exists()
        assert (shared / "copy-deno-x").exists()


def test_a_link_that_leads_nowhere_keeps_nobody_out(base: Path) -> None:
    cache = base / "cache"
    cache.mkdir()
    (cache / "dangling").symlink_to(base / "moved-away")
    assert is_reachable(cache)

    (cache / "private").touch(mode=0o600)
    assert not is_reachable(cache)


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root")
def test_another_user_starts_the_copy_and_not_the_original(
    base: Path, deno: Deno, runtime: Path
) -> None:
    hide(base)
    with open_place(deno, runtime, is_other_user=True, shared=shared_dir(base / "shared")) as place:
        started = subprocess.run(
            [place.deno, "hello"], user=WORKER_UID, cwd="/", capture_output=True, check=True
        )

    assert started.stdout == b"hello\n"
    with pytest.raises(PermissionError):
        subprocess.run([deno.path], user=WORKER_UID, cwd="/", check=True)


def test_a_copy_of_an_older_runtime_is_removed_unless_somebody_holds_it(
    base: Path, deno: Deno, runtime: Path
) -> None:
    hide(base)
    shared = shared_dir(base / "shared")
    assert shared is not None
    (shared / "not-ours").mkdir()
    (shared / "copying-unfinished").mkdir()

    with open_place(deno, runtime, is_other_user=True, shared=shared) as old:
        (runtime / "main.js").write_text("changed")
        with open_place(deno, runtime, is_other_user=True, shared=shared) as new:
            assert Path(old.deno).exists()
            assert new != old
    with open_place(deno, runtime, is_other_user=True, shared=shared):
        assert not Path(old.deno).exists()
        assert names(shared) == [Path(new.deno).parent.name, "not-ours"]


def test_a_copy_that_cannot_be_finished_leaves_nothing(
    base: Path, deno: Deno, runtime: Path
) -> None:
    hide(base)
    shared = shared_dir(base / "shared")
    assert shared is not None
    (runtime / "dangling").symlink_to("/nowhere")

    with pytest.raises(shutil.Error), open_place(deno, runtime, is_other_user=True, shared=shared):
        pass

    assert names(shared) == []


def test_without_a_place_for_a_copy_the_reason_is_said(
    base: Path, deno: Deno, runtime: Path
) -> None:
    hide(base)

    with (
        pytest.raises(ConfinementUnavailable, match="cannot reach"),
        open_place(deno, runtime, is_other_user=True, shared=None),
    ):
        pass


class TestTheSharedDirectory:
    def test_is_readable_for_everyone_whatever_the_umask(self, base: Path) -> None:
        before = os.umask(0o077)
        try:
            shared = shared_dir(base / "shared")
        finally:
            os.umask(before)

        assert shared is not None
        assert shared.stat().st_mode & 0o777 == 0o755

    def test_is_refused_when_others_can_write_to_it(self, base: Path) -> None:
        (base / "shared").mkdir()
        (base / "shared").chmod(0o777)

        assert shared_dir(base / "shared") is None

    def test_is_refused_below_a_private_folder(self, base: Path) -> None:
        (base / "home").mkdir(mode=0o700)

        assert shared_dir(base / "home" / "shared") is None

    def test_is_refused_when_it_is_a_link(self, base: Path) -> None:
        (base / "target").mkdir()
        (base / "shared").symlink_to(base / "target")

        assert shared_dir(base / "shared") is None
