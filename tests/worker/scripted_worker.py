"""A worker without a process: real pipes, and a script that holds their other ends."""

from __future__ import annotations

import os
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import anyio
import msgpack

from pool.limits import Limits
from pool.wire.frames import Decoder, FrameLimits
from pool.worker.channel import Channel
from pool.worker.exit import EndKind


class ScriptedWorker:
    """What a session sees of a worker, with the guest's side in the hands of the test.

    Attributes:
        ends_as: What `kill` reports.
        uses_share: Share of the memory budget in use.
        last_words: Frames that are written when SIGKILL comes, as if they had been in the pipe.
        at_sigkill: Called when SIGKILL comes, before anything else.
        survives: SIGKILL does not close the output; for a process that hangs in the kernel.
        killed: Calls of `sigkill` and `kill`, in order.
    """

    def __init__(self) -> None:
        from_guest, self._output = os.pipe()
        self._input, to_guest = os.pipe()
        os.set_blocking(self._input, False)
        self.channel = Channel(from_guest, to_guest, Decoder(FrameLimits.of(Limits())))
        self.ends_as = EndKind.KILLED
        self.uses_share = 0.0
        self.last_words = b""
        self.at_sigkill: Callable[[], None] = lambda: None
        self.survives = False
        self.killed: list[str] = []
        self._taken = bytearray()

    # The session's side.

    def sigkill(self) -> None:
        self.killed.append("sigkill")
        self.at_sigkill()
        if not self.survives:
            self.say(self.last_words)
            self.die()

    async def kill(self) -> EndKind:
        self.killed.append("kill")
        self.die()
        self.channel.close()
        return self.ends_as

    def memory_share(self) -> float:
        return self.uses_share

    def peak_rss_bytes(self) -> int:
        return 7

    # The guest's side.

    def say(self, *frames: bytes) -> None:
        """Write frames; they must fit the pipe."""
        data = b"".join(frames)
        if self._output >= 0:
            assert os.write(self._output, data) == len(data)

    async def hear(self) -> list[Any]:
        """The fields of the next message of the host, tag and kind first."""
        while (message := self._next()) is None:
            await anyio.wait_readable(self._input)
            self._taken += os.read(self._input, 65_536)
        return message

    def hears_nothing(self) -> bool:
        """Whether the host has written nothing that was not heard."""
        with suppress(BlockingIOError):
            self._taken += os.read(self._input, 65_536)
        return not self._taken

    def _next(self) -> list[Any] | None:
        if len(self._taken) < 4:
            return None
        end = 4 + struct.unpack(">I", self._taken[:4])[0]
        if len(self._taken) < end:
            return None
        message = msgpack.unpackb(bytes(self._taken[4:end]))
        del self._taken[:end]
        return message

    @property
    def output_fd(self) -> int:
        return self._output

    def close_output(self) -> None:
        if self._output >= 0:
            os.close(self._output)
            self._output = -1

    def close_input(self) -> None:
        if self._input >= 0:
            os.close(self._input)
            self._input = -1

    def die(self) -> None:
        self.close_output()
        self.close_input()


@contextmanager
def scripted_worker(worker: ScriptedWorker | None = None) -> Iterator[ScriptedWorker]:
    worker = worker or ScriptedWorker()
    try:
        yield worker
    finally:
        worker.die()
        worker.channel.close()
