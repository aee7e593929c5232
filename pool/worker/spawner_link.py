"""The host's side of the spawner: ask for workers, hear of their ends.

One task reads what the spawner reports and hands it to whoever waits: a started child to its
`spawn`, an exit to its `Child`. When the spawner dies its workers die with it, and everyone who
waits is told. The host itself never forks: the spawner is started by exec.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

import anyio
from anyio.abc import TaskGroup

from pool.errors import BootFailed, Unavailable
from pool.worker.child import Child
from pool.worker.exit import Exit
from pool.worker.launch import Launch
from pool.worker.spawner import START

T = TypeVar("T")

_PACKAGE_DIR: Final = Path(__file__).parents[1]

# A worker is started in about 1 ms, one after the other; the spawner itself gives up after 5 s
# on a child that hangs before its execve.
SPAWN_TIMEOUT_S: Final = 10.0

# Once its socket is closed the spawner and all workers are gone within 10 ms.
CLOSE_S: Final = 5.0

# Reports are below 300 bytes; an error text names a path at most.
_MAX_REPORT_BYTES: Final = 64 * 1024

# stdin, stdout, stderr and a pidfd.
_FDS_PER_CHILD: Final = 4

# A Python that finds its shared library by this variable needs it; nothing else is inherited.
_SPAWNER_ENV: Final = ("LD_LIBRARY_PATH",)


@asynccontextmanager
async def open_spawner(task_group: TaskGroup) -> AsyncIterator[SpawnerLink]:
    """A running spawner; leaving kills and reaps all its workers, then itself.

    Args:
        task_group: Where the link's reader runs. It outlives the context.

    Raises:
        Unavailable: This platform has no pidfd, or the spawner cannot be started.

    Cancellation:
        Leaving is shielded and takes at most twice CLOSE_S.
    """
    link = await open_link(task_group)
    try:
        yield link
    finally:
        await link.close()


async def open_link(task_group: TaskGroup) -> SpawnerLink:
    """As `open_spawner`, for a caller that closes the link itself."""
    link = SpawnerLink(*_start_spawner())
    task_group.start_soon(link.read_reports)
    return link


def _start_spawner() -> tuple[socket.socket, subprocess.Popen[bytes], int]:
    if not hasattr(os, "pidfd_open"):
        raise Unavailable(f"workers need pidfds (Linux 5.3 or later); this is {sys.platform}")
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.setblocking(False)
    with theirs:
        argv = [sys.executable, "-I", "-S", "-X", "utf8", "-c", START, str(_PACKAGE_DIR)]
        try:
            process = subprocess.Popen(  # noqa: S603 (this interpreter, a file of ours)
                [*argv, str(theirs.fileno()), str(os.getpid())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env={name: os.environ[name] for name in _SPAWNER_ENV if name in os.environ},
                cwd="/",
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        except OSError as error:
            ours.close()
            raise Unavailable(f"the spawner cannot be started: {error}") from error
    try:
        return ours, process, os.pidfd_open(process.pid)
    except OSError as error:
        ours.close()
        process.kill()
        process.wait()
        raise Unavailable(f"workers need pidfds, which this system refuses: {error}") from error


class SpawnerLink:
    """A running spawner, as `open_spawner` makes it."""

    def __init__(self, sock: socket.socket, process: subprocess.Popen[bytes], pidfd: int) -> None:
        self._sock = sock
        self._process = process
        self._pidfd = pidfd
        self._ids = count(1)
        self._replies: dict[int, _Reply[Any]] = {}
        self._children: dict[int, Child] = {}
        self._sending = anyio.Lock()
        self._lost = anyio.Event()
        self._is_open = True

    @property
    def is_alive(self) -> bool:
        """Whether workers can be started. Once False it stays False."""
        return self._is_open

    @property
    def pid(self) -> int:
        return self._process.pid

    async def spawn(self, launch: Launch) -> Child:
        """Start one worker.

        Returns:
            The child, past its execve. Its pipes are the caller's to close.

        Raises:
            BootFailed: The process could not be started; the message says at which step.
            Unavailable: There is no spawner any more.

        Cancellation:
            At any point. A child that is started nevertheless is killed when it is reported.
        """
        id, reply = next(self._ids), _Reply[Child]()
        return await self._ask(id, reply, "spawn", **_request(launch))

    async def limit_data(
        self, child: Child, *, uid: int | None, soft_bytes: int, hard_bytes: int
    ) -> bool:
        """Set RLIMIT_DATA of a worker, which the host itself may not if that is another user.

        Args:
            uid: The worker's user; None when it is the host's own.

        Returns:
            False when the kernel refuses.

        Raises:
            Unavailable: There is no spawner any more, or it does not answer.

        Cancellation:
            At any point; whether the limit was set is unknown then.
        """
        id, reply = next(self._ids), _Reply[str | None]()
        refusal = await self._ask(
            id, reply, "limit", child=child.id, uid=uid, soft=soft_bytes, hard=hard_bytes
        )
        return refusal is None

    async def _ask(self, id: int, reply: _Reply[T], op: str, **fields: Any) -> T:
        self._replies[id] = reply
        try:
            with anyio.fail_after(SPAWN_TIMEOUT_S):
                await self._send(op, id, **fields)
                return await reply.wait()
        except TimeoutError as error:
            raise BootFailed("the spawner does not answer") from error
        finally:
            del self._replies[id]

    async def _send(self, op: str, id: int, **fields: Any) -> None:
        data = json.dumps({"op": op, "id": id, **fields}).encode()
        async with self._sending:
            while self._is_open:
                try:
                    self._sock.send(data)
                except BlockingIOError:
                    await anyio.wait_writable(self._sock)
                except OSError:
                    break
                else:
                    return
        raise Unavailable("the spawner is gone")

    async def read_reports(self) -> None:
        """Hand out reports until the spawner is gone. Runs once, for the life of the link.

        Cancellation:
            Shielded: those who kill and reap during a cancellation need the reports. It ends
            with the spawner, and `close` bounds that.
        """
        with anyio.CancelScope(shield=True):
            try:
                while (report := await self._receive()) is not None:
                    await self._take(*report)
            finally:
                self._is_open = False
                await self._tell_everyone()
                self._lost.set()

    async def _receive(self) -> tuple[dict[str, Any], list[int]] | None:
        """The next report and the descriptors that came with it; None when there is no more."""
        while True:
            await anyio.wait_readable(self._sock)
            try:
                data, fds, _, _ = socket.recv_fds(
                    self._sock, _MAX_REPORT_BYTES, _FDS_PER_CHILD, socket.MSG_CMSG_CLOEXEC
                )
            except BlockingIOError:
                continue
            except OSError:
                return None
            return (json.loads(data), fds) if data else None

    async def _take(self, report: dict[str, Any], fds: list[int]) -> None:
        id = report["id"]
        match report["op"]:
            case "spawned" if len(fds) == _FDS_PER_CHILD:
                child = self._children[id] = Child(id, report["pid"], fds)
                if id not in self._replies or not self._replies[id].settle(child):
                    child.discard()
            case "spawned":
                # The kernel drops descriptors for which the receiver has no number left.
                for fd in fds:
                    os.close(fd)
                self._fail(id, "this process has no file descriptors left")
                with suppress(Unavailable):
                    await self._send("kill", id)
            case "failed":
                self._fail(id, f"{report['step']}: {report['error']}")
            case "limited" if id in self._replies:
                self._replies[id].settle(report["error"])
            case "exit" if id in self._children:
                names = ("code", "signal", "cpu_s", "peak_rss_bytes")
                self._children.pop(id).settle(Exit(**{name: report[name] for name in names}))

    def _fail(self, id: int, reason: str) -> None:
        if id in self._replies:
            self._replies[id].settle(BootFailed(f"a worker cannot be started: {reason}"))

    async def _tell_everyone(self) -> None:
        for reply in self._replies.values():
            reply.settle(Unavailable("the spawner is gone"))
        while self._children:
            await self._children.popitem()[1].lose()

    async def close(self) -> None:
        """End the spawner and its workers and wait until they are gone."""
        self._is_open = False
        with anyio.CancelScope(shield=True):
            with suppress(OSError):
                self._sock.shutdown(socket.SHUT_WR)
            with anyio.move_on_after(CLOSE_S):
                await self._lost.wait()
            self._process.kill()
            with anyio.move_on_after(CLOSE_S):
                await self._lost.wait()
                await anyio.wait_readable(self._pidfd)
        self._process.poll()
        os.close(self._pidfd)
        self._sock.close()


class _Reply(Generic[T]):
    """What a request waits for: an answer, or the reason why there is none."""

    __slots__ = ("_answer", "_arrived", "_is_abandoned")

    def __init__(self) -> None:
        self._arrived = anyio.Event()
        self._answer: T | Unavailable
        self._is_abandoned = False

    def settle(self, answer: T | Unavailable) -> bool:
        """Give the answer; False when nobody waits for it."""
        if self._is_abandoned:
            return False
        self._answer = answer
        self._arrived.set()
        return True

    async def wait(self) -> T:
        try:
            await self._arrived.wait()
        except BaseException:
            # A child may have come with the cancellation; nobody will take it.
            if self._arrived.is_set() and isinstance(self._answer, Child):
                self._answer.discard()
            self._is_abandoned = True
            raise
        if isinstance(self._answer, Unavailable):
            raise self._answer
        return self._answer


def _request(launch: Launch) -> dict[str, Any]:
    uid, rules, program = launch.confinement
    return {
        "argv": launch.argv,
        "env": dict(launch.env),
        "cwd": launch.cwd,
        "rlimits": dict(launch.rlimits),
        "niceness": launch.niceness,
        "uid": uid,
        "rules": None if rules is None else rules._asdict(),
        "filter": (program or b"").hex(),
        "sealed": launch.sealed,
    }
