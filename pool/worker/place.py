"""Where workers find Deno and the guest runtime: where they are, or in a copy they can reach.

A copy is made once for every version and lies in a directory that root owns and everyone can
read. Who uses one holds a lock on it; one that nobody holds and that is not the wanted one is
removed. Blocking file work, no processes.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pool.errors import ConfinementUnavailable
from pool.worker.cache_files import cache_key
from pool.worker.deno import Deno
from pool.worker.reachable import SHARED_DIR, is_reachable

# Another process copies 96 MB: 0.04 s, and several on a slow disk.
_LOCK_TIMEOUT_S: Final = 60.0
_LOCK_POLL_S: Final = 0.02

_COPY: Final = "copy-"
_COPYING: Final = "copying-"
_OURS: Final = re.compile(rf"{_COPY}deno-[\w.-]+|{_COPYING}\w+")

_PROGRAM: Final = "deno"
_RUNTIME: Final = "runtime_js"


@dataclass(frozen=True, slots=True)
class Place:
    """Absolute, resolved paths of the Deno binary and of the guest runtime."""

    deno: str
    runtime_dir: str


@contextmanager
def open_place(
    deno: Deno, runtime_dir: Path, *, is_other_user: bool, shared: Path | None
) -> Iterator[Place]:
    """Where workers find Deno and the runtime, until the context is left.

    Args:
        is_other_user: Whether workers run as a user with no rights of its own.
        shared: Where copies are kept (`reachable.shared_dir`); used only if one is needed.

    Raises:
        ConfinementUnavailable: A copy is needed and there is no directory for it.
        OSError: It cannot be written; the disk is full, for instance.
        TimeoutError: Another process has been copying for _LOCK_TIMEOUT_S.
    """
    program, runtime = Path(deno.path).resolve(), runtime_dir.resolve()
    if not is_other_user or (is_reachable(program) and is_reachable(runtime)):
        yield Place(str(program), str(runtime))
        return
    if shared is None:
        raise ConfinementUnavailable(
            f"workers run as a user who cannot reach {program} and {runtime}, and {SHARED_DIR} "
            "cannot hold a copy; make both readable for everyone"
        )
    found = program.stat()
    version = cache_key(deno, runtime)  # names version, machine type and runtime
    copy = shared.resolve() / f"{_COPY}{version}-{found.st_size:x}-{found.st_mtime_ns:x}"
    copy_fd = _hold(copy, program, runtime)
    try:
        yield Place(str(copy / _PROGRAM), str(copy / _RUNTIME))
    finally:
        os.close(copy_fd)


def _hold(copy: Path, program: Path, runtime: Path) -> int:
    """Make the copy unless it is there, remove stale ones, and lock it for use."""
    with _locked(copy.parent):
        if not (copy / _PROGRAM).exists():
            shutil.rmtree(copy, ignore_errors=True)  # what somebody has tidied away half
            _make(copy, program, runtime)
        for path in copy.parent.iterdir():
            if _OURS.fullmatch(path.name) and path.is_dir() and path != copy and not _is_held(path):
                shutil.rmtree(path, ignore_errors=True)
        copy_fd = os.open(copy, os.O_RDONLY | os.O_DIRECTORY)
        fcntl.flock(copy_fd, fcntl.LOCK_SH)
        return copy_fd


@contextmanager
def _locked(directory: Path) -> Iterator[None]:
    """Keep other processes from making or removing copies."""
    directory_fd = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    give_up_at = time.monotonic() + _LOCK_TIMEOUT_S
    try:
        while not _try_lock(directory_fd):
            if time.monotonic() > give_up_at:
                raise TimeoutError(f"{directory} has been locked for {_LOCK_TIMEOUT_S:g} s")
            time.sleep(_LOCK_POLL_S)
        yield
    finally:
        os.close(directory_fd)


def _try_lock(fd: int) -> bool:
    with suppress(BlockingIOError):
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return True
    return False


def _is_held(copy: Path) -> bool:
    copy_fd = os.open(copy, os.O_RDONLY | os.O_DIRECTORY)
    try:
        return not _try_lock(copy_fd)
    finally:
        os.close(copy_fd)


def _make(copy: Path, program: Path, runtime: Path) -> None:
    copying = Path(tempfile.mkdtemp(prefix=_COPYING, dir=copy.parent))
    try:
        shutil.copyfile(program, copying / _PROGRAM)
        shutil.copytree(runtime, copying / _RUNTIME, copy_function=shutil.copyfile)
        for path in (copying, *copying.rglob("*")):
            path.chmod(0o755 if path.is_dir() or path.name == _PROGRAM else 0o644)
        copying.rename(copy)
    except BaseException:
        shutil.rmtree(copying, ignore_errors=True)
        raise
