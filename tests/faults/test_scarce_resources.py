"""No descriptor, process or memory left when a worker is to be started."""

from __future__ import annotations

import errno
import json
import os
import socket
from collections.abc import Callable

import pytest
from proc_files import children_of, few_fds, open_fds
from scenes import scene

from pool import Limits, Reason
from pool.worker.spawner import Spawner

SHORT = Limits(timeout_ms=500)


@pytest.mark.anyio
@pytest.mark.parametrize("whose", ["spawner", "host"])
async def test_without_descriptors_a_run_is_unavailable_with_the_reason_until_there_are_some(whose):
    async with scene() as stage:
        pid = stage.processes.spawner.pid if whose == "spawner" else os.getpid()
        with few_fds(pid):
            refused = await stage.pool.run("return 1", limits=SHORT)
        after = await stage.pool.run("return 2")

        assert refused.reason is Reason.UNAVAILABLE
        assert "a worker cannot be started" in refused.error.message
        assert ("Too many open files" if whose == "spawner" else "no file descriptors left") in (
            refused.error.message
        )
        assert after.value == 2


def reports_of(*requests: dict[str, object]) -> list[dict[str, object]]:
    """What a spawner in this very process reports until its host has left."""
    host, spawner = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    host_pidfd = os.pidfd_open(os.getpid())
    spawner.setblocking(False)
    with host, spawner:
        for request in requests:
            host.send(json.dumps(request).encode())
        host.shutdown(socket.SHUT_WR)
        Spawner(spawner, host_pidfd).serve()
        spawner.shutdown(socket.SHUT_WR)
        reports = []
        while True:
            data, fds, _, _ = socket.recv_fds(host, 65_536, 8)
            if not data:
                break
            reports.append(json.loads(data))
            for fd in fds:
                os.close(fd)
    os.close(host_pidfd)
    return reports


def spawn(number: int) -> dict[str, object]:
    nothing_taken = {"rlimits": {}, "niceness": 0, "sealed": []}
    nothing_taken |= {"uid": None, "rules": None, "filter": ""}
    return {
        "op": "spawn",
        "id": number,
        "argv": ["/bin/cat"],
        "env": {},
        "cwd": "/",
    } | nothing_taken


def fails_once(works: Callable[..., int], error: Exception) -> Callable[..., int]:
    errors = [error]

    def call(*arguments):
        if errors:
            raise errors.pop()
        return works(*arguments)

    return call


@pytest.mark.parametrize("step", ["pipe", "fork", "pidfd_open", "dup"])
@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.EMFILE, "no descriptor left"),
        OSError(errno.ENOMEM, "no memory left"),
        OSError(errno.EAGAIN, "no process left"),
        MemoryError(),
    ],
    ids=repr,
)
def test_a_step_that_fails_for_want_of_something_fails_that_spawn_and_no_other(
    monkeypatch, step, error
):
    before = open_fds(), children_of(os.getpid())
    with monkeypatch.context() as patched:
        works = getattr(os, step)
        patched.setattr("pool.worker.spawner.os", Lacking(step, fails_once(works, error)))
        failed, spawned, exited = reports_of(spawn(1), spawn(2))

    assert (failed["op"], failed["id"]) == ("failed", 1)
    assert failed["error"] == (str(error) or "MemoryError()")
    assert (spawned["op"], spawned["id"]) == ("spawned", 2)
    assert (exited["op"], exited["id"]) == ("exit", 2)
    assert (open_fds(), children_of(os.getpid())) == before


class Lacking:
    """The module `os`, one function of which fails at first."""

    def __init__(self, name: str, function: Callable[..., int]) -> None:
        setattr(self, name, function)

    def __getattr__(self, name: str) -> object:
        return getattr(os, name)
