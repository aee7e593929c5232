"""The process of one worker as the host holds it: its pipe ends, a way to kill it, its exit.

A child is made and settled by the spawner's link; the host cannot reap it itself. What is said
over its pipes is of no concern here.
"""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from typing import Final

import anyio

from pool.worker.exit import UNKNOWN_EXIT, Exit

# From SIGKILL to the end of a process: 3 to 5 ms; more only when the machine is out of breath.
DIE_S: Final = 5.0


class Child:
    """A started process.

    Attributes:
        id: Unique within the life of its spawner.
        stdin: Host's end of the pipe, non-blocking; as `stdout` and `stderr` it belongs to whoever
            asked for the child, to use and to close.
        exit: How it ended; None while it lives.
    """

    __slots__ = ("_gone", "_pidfd", "exit", "id", "pid", "stderr", "stdin", "stdout")

    def __init__(self, id: int, pid: int, fds: list[int]) -> None:
        self.id = id
        self.pid = pid
        self.stdin, self.stdout, self.stderr, self._pidfd = fds
        self.exit: Exit | None = None
        self._gone = anyio.Event()

    def sigkill(self) -> None:
        """Send SIGKILL; harmless when the process has ended."""
        if self.exit is None:
            with suppress(OSError):
                self._hurry()
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)

    def _hurry(self) -> None:
        """Raise its priority: to die, every thread of it has to get its turn once more.

        Among fifty busy workers on two processors that took 330 ms, and takes 72 (median). Only a
        host that is root may do it.

        Raises:
            OSError: It has ended, or this host may not.
        """
        signal.pidfd_send_signal(self._pidfd, 0)  # so that no later process has its number
        niceness = os.getpriority(os.PRIO_PROCESS, 0)
        for tid in os.listdir(f"/proc/{self.pid}/task"):
            os.setpriority(os.PRIO_PROCESS, int(tid), niceness)

    async def wait(self) -> Exit:
        """Wait for the end, however long it takes; the caller bounds the wait."""
        await self._gone.wait()
        return self.exit or UNKNOWN_EXIT

    def settle(self, exit: Exit) -> None:
        """The process has ended and is reaped."""
        if self.exit is None:
            self.exit = exit
            os.close(self._pidfd)
            self._gone.set()

    async def lose(self) -> None:
        """Nobody will report this child's end any more: see to it that it ends.

        Cancellation:
            Takes at most DIE_S; run it under a shield.
        """
        self.sigkill()
        with anyio.move_on_after(DIE_S):
            # A pidfd becomes readable at the end of any process, also of one that is not ours.
            await anyio.wait_readable(self._pidfd)
        self.settle(UNKNOWN_EXIT)

    def discard(self) -> None:
        """Kill a child that nobody took, and close its pipes."""
        self.sigkill()
        for fd in (self.stdin, self.stdout, self.stderr):
            os.close(fd)
