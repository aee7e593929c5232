"""Limits of a process of another user, set by a root that lacks CAP_SYS_RESOURCE."""

from __future__ import annotations

import os
import resource
import subprocess
from collections.abc import Iterator

import pytest

from pool.worker.layers import WORKER_UID
from pool.worker.limiter import limit_data

MIB = 1024 * 1024
NO_LIMIT = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="needs root")


@pytest.fixture(params=[None, pytest.param(WORKER_UID, marks=needs_root)])
def worker(request: pytest.FixtureRequest) -> Iterator[tuple[int, int | None]]:
    uid = request.param
    ids = {} if uid is None else {"user": uid, "group": uid, "extra_groups": []}
    with subprocess.Popen(["/bin/cat"], stdin=subprocess.PIPE, **ids) as process:
        yield process.pid, uid
        process.communicate()


def data_limit(pid: int) -> tuple[str, str]:
    with open(f"/proc/{pid}/limits", encoding="ascii") as limits:
        line = next(line for line in limits if line.startswith("Max data size"))
    soft, hard = line.split()[3:5]
    return soft, hard


def test_a_limit_is_set_and_the_caller_stays_who_it_was(worker: tuple[int, int | None]) -> None:
    pid, uid = worker
    before = os.getresuid(), os.getresgid(), os.getgroups()

    limit_data(pid, uid=uid, soft_bytes=700 * MIB, hard_bytes=900 * MIB)

    assert data_limit(pid) == (str(700 * MIB), str(900 * MIB))
    assert (os.getresuid(), os.getresgid(), os.getgroups()) == before


def test_a_process_that_is_gone_is_an_error_and_the_caller_stays_who_it_was(
    worker: tuple[int, int | None],
) -> None:
    before = os.getresuid(), os.getresgid()

    with pytest.raises(ProcessLookupError):
        limit_data(2**22 + 1, uid=worker[1], soft_bytes=MIB, hard_bytes=MIB)

    assert (os.getresuid(), os.getresgid()) == before
