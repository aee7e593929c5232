"""The program that starts workers, reaps them and reports how they ended.

A process of its own because the host must never fork: it has threads, and the kernel ties
"die with your parent" to the thread that started a child. This one has a single thread, forks
safely, and takes all its workers with it when it or the host dies. It is started by `START`, uses
the standard library and its neighbours only, and speaks JSON datagrams over a SOCK_SEQPACKET
socket: one request or report each, descriptors by SCM_RIGHTS.

Nothing here knows Deno or the protocol of workers. Whatever fails while a worker is started is
reported as a failed spawn; only the end of the host or of the socket ends the spawner.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import select
import signal
import socket
import sys
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Any, NamedTuple, NoReturn

from . import attest, confine, landlock, limiter

# `python -I -S -c START FOLDER_OF_THE_PACKAGE SOCKET_FD HOST_PID`. This room alone becomes the
# package, because the host's half is slow to load and nothing that forks should hold it.
START = "import sys; sys.path.append(sys.argv[1]); from worker.spawner import main; main()"

# Above any request (argv, environment, a filter program); the default send buffer of a Unix
# socket, 208 KiB, bounds a datagram anyway.
MAX_REQUEST_BYTES = 256 * 1024

# From fork to execve takes about 1 ms; a child that needs this long hangs in a file system.
EXEC_TIMEOUT_MS = 5_000

# For the last reports, once the workers are dead; a living host reads them at once.
FAREWELL_TIMEOUT_S = 1.0

IGNORED_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

_PR_SET_PDEATHSIG = 1
_PR_SET_NO_NEW_PRIVS = 38

_libc = ctypes.CDLL(None, use_errno=True)


class Request(NamedTuple):
    """One worker to start, as the host asked for it."""

    id: int
    argv: list[str]
    env: dict[str, str]
    cwd: str
    rlimits: dict[str, list[int]]
    niceness: int
    confinement: confine.Confinement
    sealed: list[str]
    spawner_pid: int


class Started(NamedTuple):
    """A worker past its execve. `host_fds`: its stdin, stdout, stderr and a pidfd of it."""

    pid: int
    pidfd: int
    host_fds: list[int]


class SpawnFailed(Exception):
    """A worker did not get as far as execve; the error of the step that failed."""

    def __init__(self, step: str, error: str) -> None:
        super().__init__(error)
        self.step = step


# --- in the child, between fork and execve ---


def change_user(request: Request) -> None:
    if request.confinement.uid is not None:
        confine.change_user(request.confinement.uid)


def die_with_the_spawner(request: Request) -> None:
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != request.spawner_pid:
        # It died before the line above took effect, so nobody is left to report to.
        os._exit(1)


def limit_resources(request: Request) -> None:
    for name, (soft, hard) in request.rlimits.items():
        resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (soft, hard))


def lower_priority(request: Request) -> None:
    os.nice(request.niceness)


def forbid_new_privileges(_request: Request) -> None:
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)


def reset_signals(_request: Request) -> None:
    """Hear what the spawner ignores; block the signal that would open Deno's inspector.

    SIGPIPE and SIGXFSZ stay ignored, as Python leaves them: a write that fails is then an error
    in the worker and not its death.
    """
    for number in IGNORED_SIGNALS:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])


def enter_directory(request: Request) -> None:
    os.chdir(request.cwd)


def restrict_files(request: Request) -> None:
    if request.confinement.rules is not None:
        confine.restrict_files(request.confinement.rules)


def filter_calls(request: Request) -> None:
    if request.confinement.filter is not None:
        confine.filter_calls(request.confinement.filter)


def attest_confinement(request: Request) -> None:
    attest.attest(
        files=request.confinement.rules is not None,
        calls=request.confinement.filter is not None,
        sealed=request.sealed,
    )


# What a child does to itself, in this order; `confine` says why it is part of the confinement.
SETUP: tuple[Callable[[Request], None], ...] = (
    change_user,
    die_with_the_spawner,
    limit_resources,
    lower_priority,
    forbid_new_privileges,
    reset_signals,
    enter_directory,
    restrict_files,
    filter_calls,
    attest_confinement,
)


def become_worker(request: Request, stdio: Sequence[int], report_fd: int) -> NoReturn:
    """Set the child up and execve. What goes wrong is written to `report_fd`."""
    step = "stdio"
    try:
        for target, source in enumerate(stdio):
            os.dup2(source, target)
        _close_all_but(report_fd)
        for setup in SETUP:
            step = setup.__name__
            setup(request)
        step = "execve"
        os.execve(request.argv[0], request.argv, request.env)  # noqa: S606 (no shell is the point)
    except BaseException as error:
        os.write(report_fd, json.dumps([step, str(error)]).encode())
    finally:
        os._exit(127)


def _close_all_but(kept: int) -> None:
    """Close every descriptor above standard error except one."""
    os.closerange(3, kept)
    os.closerange(kept + 1, os.sysconf("SC_OPEN_MAX"))


def _prctl(option: int, value: int) -> None:
    if _libc.prctl(option, value, 0, 0, 0) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"prctl({option}): {os.strerror(number)}")


# --- in the spawner ---


def start_worker(request: Request) -> Started:
    """Fork one child and see it through to its execve.

    Raises:
        SpawnFailed: The child could not be set up or its program not be started.
        OSError: No descriptor, process or memory left. Nothing is left behind in either case.
    """
    with ExitStack() as until_forked, ExitStack() as on_failure:
        host_ends, child_ends = [], []
        for host_reads in (False, True, True, True):  # stdin, stdout, stderr, report
            pair = os.pipe()
            ours, theirs = pair if host_reads else pair[::-1]
            on_failure.callback(os.close, ours)
            until_forked.callback(os.close, theirs)
            host_ends.append(ours)
            child_ends.append(theirs)
        pid = os.fork()
        if pid == 0:
            become_worker(request, child_ends[:3], child_ends[3])
        on_failure.callback(os.waitpid, pid, 0)
        on_failure.callback(os.kill, pid, signal.SIGKILL)
        until_forked.close()
        pidfd = os.pidfd_open(pid)
        on_failure.callback(os.close, pidfd)
        host_pidfd = os.dup(pidfd)
        on_failure.callback(os.close, host_pidfd)
        *stdio, report_fd = host_ends
        wait_for_exec(report_fd)
        for fd in stdio:
            os.set_blocking(fd, False)
        on_failure.pop_all()
        os.close(report_fd)
        return Started(pid, pidfd, [*stdio, host_pidfd])


def wait_for_exec(report_fd: int) -> None:
    """Return once execve has closed the child's end of `report_fd`.

    Raises:
        SpawnFailed: The child reported an error, or did nothing within EXEC_TIMEOUT_MS.
    """
    poll = select.poll()
    poll.register(report_fd, select.POLLIN)
    if not poll.poll(EXEC_TIMEOUT_MS):
        raise SpawnFailed("execve", "the child hangs before its execve")
    report = os.read(report_fd, select.PIPE_BUF)
    if report:
        raise SpawnFailed(*json.loads(report))


class Spawner:
    """The poll loop: requests in, workers started and reaped, reports out."""

    def __init__(self, sock: socket.socket, host_pidfd: int) -> None:
        self._sock = sock
        self._host_pidfd = host_pidfd
        self._workers: dict[int, tuple[int, int]] = {}  # pidfd: (id, pid)
        # Reports with the descriptors they carry; those are closed once sent.
        self._outbox: deque[tuple[bytes, Sequence[int]]] = deque()
        self._poll = select.poll()
        self._poll.register(sock, select.POLLIN)
        self._poll.register(host_pidfd, select.POLLIN)

    def serve(self) -> None:
        """Run until the host or the socket is gone; then end every worker."""
        try:
            while self._turn():
                pass
        finally:
            self._end_workers()

    def _turn(self) -> bool:
        for fd, events in self._poll.poll():
            if fd == self._host_pidfd:
                # The socket may live on in a process that the host forked.
                return False
            if fd != self._sock.fileno():
                self._reap(fd)
            elif events & ~select.POLLOUT and not self._take_request():
                return False
        return self._flush()

    def _take_request(self) -> bool:
        """Serve one request; False when the host has closed its side."""
        try:
            data = self._sock.recv(MAX_REQUEST_BYTES)
        except OSError:
            return False
        if not data:
            return False
        self._serve(json.loads(data))
        return True

    def _serve(self, request: dict[str, Any]) -> None:
        operation = request.pop("op")
        if operation == "spawn":
            self._spawn(_as_request(request))
        elif operation == "limit":
            self._limit(**request)
        elif operation == "kill":
            self._kill(request["id"])
        else:
            raise ValueError(f"unknown request {operation!r}")

    def _spawn(self, request: Request) -> None:
        try:
            worker = start_worker(request)
        except SpawnFailed as failure:
            self._report("failed", request.id, step=failure.step, error=str(failure))
        except (OSError, MemoryError) as error:
            self._report("failed", request.id, step="fork", error=str(error) or repr(error))
        else:
            self._workers[worker.pidfd] = (request.id, worker.pid)
            self._poll.register(worker.pidfd, select.POLLIN)
            self._report("spawned", request.id, worker.host_fds, pid=worker.pid)

    def _limit(self, id: int, child: int, uid: int | None, soft: int, hard: int) -> None:
        """Set a worker's memory limit; a worker that has ended is not an error worth telling."""
        error = None
        for worker_id, pid in self._workers.values():
            if worker_id == child:
                try:
                    limiter.limit_data(pid, uid=uid, soft_bytes=soft, hard_bytes=hard)
                except (OSError, ValueError, OverflowError) as failure:
                    error = str(failure)
        self._report("limited", id, error=error)

    def _kill(self, wanted: int) -> None:
        for pidfd, (worker_id, _) in self._workers.items():
            if worker_id == wanted:
                signal.pidfd_send_signal(pidfd, signal.SIGKILL)

    def _reap(self, pidfd: int) -> None:
        """Collect a worker that has ended, or is about to, and report how."""
        worker_id, pid = self._workers.pop(pidfd)
        self._poll.unregister(pidfd)
        os.close(pidfd)
        _, status, usage = os.wait4(pid, 0)
        code = os.waitstatus_to_exitcode(status)
        self._report(
            "exit",
            worker_id,
            code=code if code >= 0 else None,
            signal=-code if code < 0 else None,
            cpu_s=usage.ru_utime + usage.ru_stime,
            peak_rss_bytes=usage.ru_maxrss * 1024,
        )

    def _report(self, op: str, worker_id: int, fds: Sequence[int] = (), **fields: Any) -> None:
        self._outbox.append((json.dumps({"op": op, "id": worker_id, **fields}).encode(), fds))

    def _flush(self) -> bool:
        """Send what the socket takes; False when the host is gone.

        Never waits: a host that does not read must not keep the spawner from noticing its end.
        """
        while self._outbox:
            data, fds = self._outbox[0]
            try:
                socket.send_fds(self._sock, [data], fds)
            except BlockingIOError:
                self._poll.modify(self._sock, select.POLLIN | select.POLLOUT)
                return True
            except OSError:
                return False
            for fd in fds:
                os.close(fd)
            self._outbox.popleft()
        self._poll.modify(self._sock, select.POLLIN)
        return True

    def _end_workers(self) -> None:
        for pidfd in self._workers:
            signal.pidfd_send_signal(pidfd, signal.SIGKILL)
        for pidfd in list(self._workers):
            self._reap(pidfd)
        self._sock.settimeout(FAREWELL_TIMEOUT_S)
        self._flush()


def _as_request(fields: dict[str, Any]) -> Request:
    uid, rules, program = (fields.pop(name) for name in ("uid", "rules", "filter"))
    confinement = confine.Confinement(
        uid=uid,
        rules=None if rules is None else landlock.Rules(**rules),
        filter=bytes.fromhex(program) if program else None,
    )
    return Request(**fields, confinement=confinement, spawner_pid=os.getpid())


def main() -> None:
    socket_fd, host_pid = map(int, sys.argv[2:])
    sock = socket.socket(fileno=socket_fd)
    sock.set_inheritable(False)
    sock.setblocking(False)
    for number in IGNORED_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    try:
        host_pidfd = os.pidfd_open(host_pid)
    except ProcessLookupError:
        return
    # Only now is it certain that the pidfd is the host's and not that of a later process.
    if os.getppid() == host_pid:
        Spawner(sock, host_pidfd).serve()
