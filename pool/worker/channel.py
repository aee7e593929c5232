"""The two pipe ends through which a host talks to one worker.

Reading is `os.read` on a non-blocking descriptor and then `anyio.wait_readable`: as fast as the
bare pipe, where stream classes add 10 to 20 µs a message (docs/decisions). Nothing here knows
what the messages mean; nothing here starts a task.
"""

from __future__ import annotations

import os
from typing import Final

import anyio

from pool.errors import WorkerGone
from pool.wire.frames import Decoder, FrameLimits
from pool.wire.messages import FromWorker

# What a pipe holds on Linux; a larger read gets no more.
READ_BYTES: Final = 64 * 1024

# The host writes only while the worker waits for input, so a healthy worker takes every byte at
# once. One that takes none for this long is broken.
WRITE_STALL_S: Final = 10.0

_NO_FD: Final = -1


class Channel:
    """Messages of one worker. One reader and one writer at a time.

    Cancellation: `receive` may be cancelled and called again. A cancelled `send` may leave half a
    frame in the pipe: the worker can only be killed.
    """

    __slots__ = ("_decoder", "_is_closed", "_read_fd", "_write_fd")

    def __init__(self, read_fd: int, write_fd: int, decoder: Decoder) -> None:
        os.set_blocking(read_fd, False)
        os.set_blocking(write_fd, False)
        self._read_fd = read_fd
        self._write_fd = write_fd
        self._decoder = decoder
        self._is_closed = False

    def hold_to(self, limits: FrameLimits) -> None:
        """Use the frame limits of another run."""
        self._decoder.hold_to(limits)

    @property
    def frame_bytes(self) -> int:
        """Size of the frame that held the last message."""
        return self._decoder.frame_bytes

    @property
    def footprint_bytes(self) -> int:
        """About how much memory the last message takes."""
        return self._decoder.footprint_bytes

    def receive_nowait(self) -> FromWorker | None:
        """The next message if it is here already, else None.

        Reads at most one pipe's worth, so a caller that loops over it gets to look at the clock.

        Raises:
            ProtocolFault: The worker sent something that is not a message.
            WorkerGone: Its output has ended.
        """
        message = self._decoder.next()
        if message is not None:
            return message
        try:
            data = os.read(self._read_fd, READ_BYTES)
        except BlockingIOError:
            return None
        except OSError as error:
            raise WorkerGone("the channel was closed") from error
        if not data:
            raise WorkerGone("the worker's output ended")
        self._decoder.feed(data)
        return self._decoder.next()

    def is_quiet(self) -> bool:
        """Whether there is nothing to read: neither bytes nor the end of the output.

        What it finds it takes: a worker that is not quiet when it should be is only to be killed.
        """
        if self._decoder.buffered or self._is_closed:
            return False
        try:
            os.read(self._read_fd, 1)
        except BlockingIOError:
            return True
        return False

    async def wait_readable(self) -> None:
        """Wait until there is something to read, or the output has ended.

        Raises:
            WorkerGone: The channel was closed meanwhile.
        """
        if self._is_closed:
            raise WorkerGone("the channel was closed")
        try:
            await anyio.wait_readable(self._read_fd)
        except (anyio.ClosedResourceError, OSError) as error:
            raise WorkerGone("the channel was closed") from error

    async def receive(self) -> FromWorker:
        """The next message, however long it takes; the caller bounds the wait."""
        while (message := self.receive_nowait()) is None:
            await self.wait_readable()
        return message

    async def send(self, frame: bytes) -> None:
        """Write one frame.

        Raises:
            WorkerGone: The worker closed its input, or took nothing for `WRITE_STALL_S`.
        """
        try:
            sent = self._write(frame)
            while sent < len(frame):
                with anyio.fail_after(WRITE_STALL_S):
                    await anyio.wait_writable(self._write_fd)
                sent += self._write(memoryview(frame)[sent:])
        except TimeoutError as error:
            raise WorkerGone(f"the worker took no input for {WRITE_STALL_S:g} s") from error
        except (anyio.ClosedResourceError, OSError) as error:
            raise WorkerGone("the worker's input is closed") from error

    def _write(self, data: bytes | memoryview) -> int:
        try:
            return os.write(self._write_fd, data)
        except BlockingIOError:
            return 0

    def close(self) -> None:
        """Close both ends. Safe to call twice; whoever waits on them is woken with an error."""
        if self._is_closed:
            return
        self._is_closed = True
        for fd in (self._read_fd, self._write_fd):
            anyio.notify_closing(fd)
            os.close(fd)
        # The numbers may soon be those of somebody else's files.
        self._read_fd = self._write_fd = _NO_FD
