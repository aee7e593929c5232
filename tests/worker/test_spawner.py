"""The spawner with real processes. It knows no Deno, so most of its workers here are small."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import anyio
import pytest
from anyio import wait_all_tasks_blocked
from proc_files import children_of, exists, few_fds, is_running, open_fds, read, status

from pool.errors import BootFailed, Unavailable
from pool.worker.child import Child
from pool.worker.exit import UNKNOWN_EXIT

pytestmark = pytest.mark.anyio

CAT = "/bin/cat"
SPIN = ("/bin/sh", "-c", "while :; do :; done")


def close(child: Child) -> None:
    for fd in (child.stdin, child.stdout, child.stderr):
        os.close(fd)


async def output(child: Child) -> bytes:
    """Everything it writes to its standard output, and its exit; closes its pipes."""
    said = b""
    while True:
        await anyio.wait_readable(child.stdout)
        data = os.read(child.stdout, 65536)
        if not data:
            break
        said += data
    await child.wait()
    close(child)
    return said


async def wait_ended(pid: int) -> None:
    """Return when a process has ended, though it is not a child of this one."""
    try:
        pidfd = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    await anyio.wait_readable(pidfd)
    os.close(pidfd)


async def test_a_worker_talks_over_its_pipes_and_its_exit_is_reported(spawning, command) -> None:
    with anyio.fail_after(5):
        async with spawning() as (link, _):
            child = await link.spawn(command("/bin/sh", "-c", "cat; echo oops >&2; exit 7"))
            os.write(child.stdin, b"hello")
            os.close(child.stdin)
            exit = await child.wait()

            assert os.read(child.stdout, 100) == b"hello"
            assert os.read(child.stderr, 100) == b"oops\n"
            assert (exit.code, exit.signal) == (7, None)
            assert exit.peak_rss_bytes > 0
            os.close(child.stdout)
            os.close(child.stderr)


async def test_a_signal_that_ends_a_worker_is_reported(spawning, command) -> None:
    with anyio.fail_after(5):
        async with spawning() as (link, _):
            child = await link.spawn(command("/bin/sh", "-c", "kill -SEGV $$"))
            exit = await child.wait()
            close(child)

    assert (exit.code, exit.signal) == (None, signal.SIGSEGV)


async def test_cpu_time_is_reported(spawning, command) -> None:
    with anyio.fail_after(5):
        async with spawning() as (link, _):
            busy = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done"
            child = await link.spawn(command("/bin/sh", "-c", busy))
            exit = await child.wait()
            close(child)

    assert 0.01 < exit.cpu_s < 5


async def test_a_worker_inherits_nothing(spawning, command, monkeypatch) -> None:
    monkeypatch.setenv("CODEPOOL_SECRET", "s3cret")
    control = await anyio.run_process(["/usr/bin/env"])
    assert b"s3cret" in control.stdout
    with anyio.fail_after(5):
        async with spawning() as (link, _):
            child = await link.spawn(replace(command(CAT), env={"TZ": "UTC"}))
            os.write(child.stdin, b"loaded?")
            await anyio.wait_readable(child.stdout)

            assert read(child.pid, "environ") == "TZ=UTC\0"
            assert "s3cret" not in read(link.pid, "environ")
            assert sorted(os.listdir(f"/proc/{child.pid}/fd")) == ["0", "1", "2"]
            assert os.readlink(f"/proc/{child.pid}/cwd") == command(CAT).cwd
            child.discard()


async def test_a_worker_is_set_up_before_it_runs(spawning, command) -> None:
    with anyio.fail_after(5):
        async with spawning() as (link, _):
            launch = replace(command(CAT), rlimits={"NOFILE": (65, 66), "CORE": (0, 0)})
            child = await link.spawn(launch)

            assert status(child.pid, "NoNewPrivs") == "1"
            assert int(status(child.pid, "SigBlk"), 16) == 1 << (signal.SIGUSR1 - 1)
            ignored = int(status(child.pid, "SigIgn"), 16)
            assert not ignored & 1 << (signal.SIGTERM - 1)
            limits = read(child.pid, "limits").splitlines()
            assert any(line.split()[:5] == ["Max", "open", "files", "65", "66"] for line in limits)
            assert os.getsid(child.pid) != os.getsid(0)
            child.discard()


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"argv": ("/nonexistent/deno",)}, r"execve: \[Errno 2\]"),
        ({"argv": ("/etc/passwd",)}, r"execve: \[Errno 13\]"),
        ({"cwd": "/nonexistent"}, r"enter_directory: \[Errno 2\]"),
        ({"rlimits": {"NOFILE": (2**40, 2**40)}}, "limit_resources"),
        ({"env": {"A": "with \0 in it"}}, "execve"),
    ],
)
async def test_a_step_that_fails_is_named_and_leaves_nothing(
    spawning, command, change, named
) -> None:
    with anyio.fail_after(5):
        async with spawning() as (link, _):
            await output(await link.spawn(command("/bin/true")))  # until it is up itself
            before = open_fds(), open_fds(link.pid)
            with pytest.raises(BootFailed, match=named):
                await link.spawn(replace(command(CAT), **change))

            assert (open_fds(), open_fds(link.pid)) == before
            assert children_of(link.pid) == []
            child = await link.spawn(command("/bin/echo", "control"))
            assert await output(child) == b"control\n"


async def test_a_spawner_without_descriptors_says_so_and_goes_on(spawning, command) -> None:
    with anyio.fail_after(5):
        async with spawning() as (link, _):
            await output(await link.spawn(command("/bin/true")))
            with few_fds(link.pid), pytest.raises(BootFailed, match="Too many open files"):
                await link.spawn(command(CAT))

            child = await link.spawn(command("/bin/echo", "control"))
            assert await output(child) == b"control\n"


async def test_a_host_without_descriptors_says_so_and_the_worker_is_killed(
    spawning, command
) -> None:
    with anyio.fail_after(5):
        async with spawning() as (link, _):
            with few_fds(os.getpid()), pytest.raises(BootFailed, match="no file descriptors left"):
                await link.spawn(command(*SPIN))

            child = await link.spawn(command("/bin/echo", "control"))
            assert await output(child) == b"control\n"
            for pid in children_of(link.pid):
                await wait_ended(pid)


async def test_leaving_kills_and_reaps_every_worker(spawning, command) -> None:
    with anyio.fail_after(5):
        async with spawning() as (link, _):
            children = [await link.spawn(command(*SPIN)) for _ in range(5)]
            spawner_pid = link.pid

    assert {child.exit.signal for child in children} == {signal.SIGKILL}
    assert not any(is_running(child.pid) for child in children)
    assert not exists(spawner_pid)
    for child in children:
        close(child)


async def test_leaving_in_a_cancelled_scope_is_just_as_thorough(spawning, command) -> None:
    with anyio.fail_after(5):
        with anyio.CancelScope() as scope:
            async with spawning() as (link, _):
                child = await link.spawn(command(*SPIN))
                spawner_pid = link.pid
                scope.cancel()
                await anyio.sleep_forever()

    assert child.exit.signal == signal.SIGKILL
    assert not exists(spawner_pid)
    close(child)


async def test_a_killed_spawner_takes_its_workers_along_and_everyone_is_told(
    spawning, command
) -> None:
    with anyio.fail_after(5):
        async with spawning() as (link, _):
            children = [await link.spawn(command(*SPIN)) for _ in range(3)]
            os.kill(link.pid, signal.SIGKILL)
            exits = [await child.wait() for child in children]

            assert exits == [UNKNOWN_EXIT] * 3
            assert not any(is_running(child.pid) for child in children)
            assert not link.is_alive
            with pytest.raises(Unavailable, match="spawner is gone"):
                await link.spawn(command(CAT))
            for child in children:
                close(child)


async def test_a_spawn_that_waits_when_the_spawner_dies_is_told(spawning, command) -> None:
    failures: list[Unavailable] = []

    async def spawn() -> None:
        try:
            await link.spawn(command(CAT))
        except Unavailable as error:
            failures.append(error)

    with anyio.fail_after(5):
        async with spawning() as (link, _):
            os.kill(link.pid, signal.SIGSTOP)
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(spawn)
                await wait_all_tasks_blocked()
                os.kill(link.pid, signal.SIGKILL)

    assert len(failures) == 1


async def test_a_worker_whose_spawn_was_cancelled_is_killed(spawning, command) -> None:
    with anyio.fail_after(5):
        async with spawning() as (link, _):
            before = open_fds()
            os.kill(link.pid, signal.SIGSTOP)
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(link.spawn, command(*SPIN))
                await wait_all_tasks_blocked()
                tasks.cancel_scope.cancel()
            os.kill(link.pid, signal.SIGCONT)

            # Reports come in order: after this one, the other has been dealt with.
            child = await link.spawn(command(CAT))
            for pid in set(children_of(link.pid)) - {child.pid}:
                await wait_ended(pid)
            child.discard()
            await child.wait()
            assert open_fds() == before


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
async def test_a_spawner_does_not_leave_on_request(spawning, command, number) -> None:
    with anyio.fail_after(5):
        async with spawning() as (link, _):
            assert await output(await link.spawn(command("/bin/echo", "up"))) == b"up\n"
            os.kill(link.pid, number)

            assert await output(await link.spawn(command("/bin/echo", "still"))) == b"still\n"
            assert os.getsid(link.pid) == link.pid


async def test_a_hundred_workers_leave_no_trace(spawning, command) -> None:
    with anyio.fail_after(15):
        async with spawning() as (link, _):
            await output(await link.spawn(command("/bin/true")))
            before = open_fds(), open_fds(link.pid)
            for _ in range(100):
                child = await link.spawn(command(CAT))
                child.sigkill()
                await child.wait()
                close(child)

            assert (open_fds(), open_fds(link.pid)) == before
            assert children_of(link.pid) == []


async def test_many_workers_start_at_once(spawning, command) -> None:
    said: list[bytes] = []

    async def one(number: int) -> None:
        said.append(await output(await link.spawn(command("/bin/echo", str(number)))))

    with anyio.fail_after(15):
        async with spawning() as (link, _), anyio.create_task_group() as tasks:
            for number in range(50):
                tasks.start_soon(one, number)

    assert sorted(map(int, said)) == list(range(50))


@contextmanager
def running_host(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], dict[str, object]]]:
    """`host.py` in a process of its own, once all its workers run."""
    root = Path(__file__).parents[2]
    argv = [sys.executable, str(Path(__file__).with_name("host.py")), *arguments]
    environment = {**os.environ, "PYTHONPATH": str(root)}
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True, env=environment) as host:
        try:
            assert host.stdout is not None
            yield host, json.loads(host.stdout.readline())
        finally:
            host.kill()


def wait_all_ended(pids: list[int], timeout_s: float) -> bool:
    """Whether all processes end within the time."""
    for pid in pids:
        try:
            pidfd = os.pidfd_open(pid)
        except ProcessLookupError:
            continue
        if not select.select([pidfd], [], [], timeout_s)[0]:
            return False
        os.close(pidfd)
    return True


@pytest.mark.parametrize("mode", ["alone", "fork"])
@pytest.mark.parametrize("argv", [SPIN, (CAT,)], ids=["spinning", "idle"])
def test_a_killed_host_leaves_no_worker(mode: str, argv: tuple[str, ...]) -> None:
    with running_host(mode, *argv) as (host, said):
        assert all(is_running(pid) for pid in said["pids"])
        try:
            host.kill()
            assert wait_all_ended(said["pids"], timeout_s=2)
        finally:
            if said["keeper"]:
                os.kill(said["keeper"], signal.SIGKILL)


def test_a_terminal_interrupt_reaches_the_host_only() -> None:
    with running_host("alone", CAT) as (host, said):
        assert {os.getpgid(pid) for pid in said["pids"]} == {said["pids"][0]}
        assert os.getpgid(host.pid) != said["pids"][0]


def test_a_killed_spawner_takes_its_workers_along_without_the_hosts_help() -> None:
    with running_host("alone", *SPIN) as (host, said):
        host.send_signal(signal.SIGSTOP)
        os.kill(said["pids"][0], signal.SIGKILL)

        assert wait_all_ended(said["pids"][1:], timeout_s=2)


async def test_a_worker_that_gave_way_is_let_in_to_die(spawning, command, monkeypatch) -> None:
    raised = []
    monkeypatch.setattr(os, "setpriority", lambda *words: raised.append(words))
    async with spawning() as (link, _):
        child = await link.spawn(replace(command(*SPIN), niceness=10))
        assert os.getpriority(os.PRIO_PROCESS, child.pid) == own_niceness() + 10

        child.sigkill()
        await child.wait()
        close(child)

    assert raised == [(os.PRIO_PROCESS, child.pid, own_niceness())]


async def test_a_host_that_may_not_raise_a_priority_kills_all_the_same(
    spawning, command, monkeypatch
) -> None:
    def refuse(*words: int) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "setpriority", refuse)
    async with spawning() as (link, _):
        child = await link.spawn(command(*SPIN))

        child.sigkill()

        assert (await child.wait()).signal == signal.SIGKILL
        close(child)


def own_niceness() -> int:
    return os.getpriority(os.PRIO_PROCESS, 0)
