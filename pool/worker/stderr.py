"""What a worker wrote last to its standard error.

Read for the whole life of the worker, so that a full pipe never blocks it, and kept in a ring:
only the last words say how it ended. Programs cannot write here; Deno, V8 and the runtime do.
"""

from __future__ import annotations

import os
from collections import deque
from contextlib import suppress
from typing import Final

import anyio

TAIL_BYTES: Final = 64 * 1024

# What a pipe holds on Linux; a larger read gets no more.
_READ_BYTES: Final = 64 * 1024

# Reads in one go before other tasks get a turn: a flood must not starve the event loop.
_BURST_READS: Final = 32


class StderrTail:
    """The read end of one worker's standard error, owned and closed here."""

    __slots__ = ("_chunks", "_fd", "_is_closed", "_kept")

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._is_closed = False
        self._chunks: deque[bytes] = deque()
        self._kept = 0

    async def drain(self) -> None:
        """Read until the end of the stream, or until it is closed here."""
        with suppress(anyio.ClosedResourceError):
            while not self.read_nowait():
                await anyio.wait_readable(self._fd)

    def read_nowait(self) -> bool:
        """Take what the pipe holds, within reason; True when no more will come."""
        if self._is_closed:
            return True
        for _ in range(_BURST_READS):
            try:
                data = os.read(self._fd, _READ_BYTES)
            except BlockingIOError:
                return False
            if not data:
                return True
            self._keep(data)
        return False

    def _keep(self, data: bytes) -> None:
        self._chunks.append(data)
        self._kept += len(data)
        while self._kept - len(self._chunks[0]) >= TAIL_BYTES:
            self._kept -= len(self._chunks.popleft())

    def tail(self) -> bytes:
        """The last bytes read, TAIL_BYTES at most."""
        return b"".join(self._chunks)[-TAIL_BYTES:]

    def close(self) -> None:
        """Close the pipe; what was read stays. Safe to call twice."""
        if not self._is_closed:
            self._is_closed = True
            anyio.notify_closing(self._fd)
            os.close(self._fd)
