"""What the kernel says about processes, for tests that count them."""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def read(pid: int, name: str) -> str:
    return Path(f"/proc/{pid}/{name}").read_text(encoding="utf-8")


def status(pid: int, field: str) -> str:
    """One line of /proc/<pid>/status."""
    lines = dict(line.split(":", 1) for line in read(pid, "status").splitlines())
    return lines[field].strip()


def children_of(pid: int) -> list[int]:
    """Processes that `pid` has started and not reaped, zombies included."""
    return [int(child) for child in read(pid, f"task/{pid}/children").split()]


def open_fds(pid: int | None = None) -> int:
    return len(os.listdir(f"/proc/{pid or 'self'}/fd"))


@contextmanager
def few_fds(pid: int) -> Iterator[None]:
    """Leave a process no descriptor number, or one at most."""
    soft, hard = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    taken = {int(fd) for fd in os.listdir(f"/proc/{pid}/fd")}
    free = next(number for number in range(soft) if number not in taken)
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (free, hard))
    try:
        yield
    finally:
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (soft, hard))


def is_running(pid: int) -> bool:
    try:
        return status(pid, "State")[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def exists(pid: int) -> bool:
    """Whether the process is there, if only as a zombie."""
    return Path(f"/proc/{pid}").exists()
