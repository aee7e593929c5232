"""The way to one server: a child process and its pipes, or HTTP. Owns what it opens."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Final

import anyio
import httpx2
from mcp.client._transport import TransportStreams
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from pool.tools.sources.mcp.config import HttpEndpoint, ServerConfig, StdioLaunch
from pool.worker.stderr import StderrTail

# To connect, to send, and to get a free connection. A healthy server accepts in milliseconds.
HTTP_STEP_S: Final = 30.0

# A stream that carries notifications is silent for long; the SDK opens a new one after this.
HTTP_SILENCE_S: Final = 300.0

# One event carries one whole answer: the largest result (spec L-2) with its escapes in JSON.
MAX_EVENT_BYTES: Final = 64 * 1024 * 1024


class LastWords:
    """What the server's process wrote last to its standard error: for the operator alone."""

    __slots__ = ("tail",)

    def __init__(self) -> None:
        self.tail: StderrTail | None = None

    def text(self) -> str:
        """Up to the last 64 KiB, of the process that runs or ran last."""
        return self.tail.tail().decode(errors="replace") if self.tail else ""


def transport(
    config: ServerConfig, words: LastWords
) -> AbstractAsyncContextManager[TransportStreams]:
    """The streams to a server, open while the context is.

    Raises:
        OSError: The process cannot be started.
        httpx2.HTTPError: The server cannot be reached; raised when the context is left.

    Cancellation:
        The SDK stops the process under a shield: closed stdin, SIGTERM and SIGKILL to its group,
        two seconds each at most.
    """
    match config.reach:
        case StdioLaunch():
            return _pipes(config.reach, words)
        case HttpEndpoint():
            return _http(config.reach, config.timeout_s)


@asynccontextmanager
async def _pipes(launch: StdioLaunch, words: LastWords) -> AsyncIterator[TransportStreams]:
    parameters = StdioServerParameters(
        command=launch.command, args=list(launch.args), env=dict(launch.env), cwd=launch.cwd
    )
    # CLOEXEC as Python makes it; only the child's copy stays open, so its end is the pipe's end.
    read_fd, write_fd = os.pipe()
    os.set_blocking(read_fd, False)
    words.tail = tail = StderrTail(read_fd)
    with os.fdopen(write_fd, "w", encoding="utf-8") as stderr:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(tail.drain)
            try:
                async with stdio_client(parameters, errlog=stderr) as streams:
                    stderr.close()
                    yield streams
            finally:
                # Also when a grandchild still holds the other end.
                tail.close()


@asynccontextmanager
async def _http(endpoint: HttpEndpoint, timeout_s: float) -> AsyncIterator[TransportStreams]:
    timeout = httpx2.Timeout(HTTP_STEP_S, read=max(HTTP_SILENCE_S, timeout_s))
    async with httpx2.AsyncClient(headers=dict(endpoint.headers), timeout=timeout) as client:
        way = streamable_http_client(
            endpoint.url, http_client=client, max_sse_event_size=MAX_EVENT_BYTES
        )
        async with way as streams:
            yield streams
