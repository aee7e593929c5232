"""Servers over streamable HTTP: a real one in another process, stopped and started by the test."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import anyio
import pytest
from anyio.streams.text import TextReceiveStream
from live_servers import call, opened, tool_of, wait_until

from pool import ToolError
from pool.tools.sources.mcp import HttpEndpoint, ServerConfig

pytestmark = [
    pytest.mark.anyio,
    # The SDK leaves its readers of event streams to the garbage collector when a stream is given
    # up, which trio alone remarks on. Nothing leaks: the response is closed.
    pytest.mark.filterwarnings(
        r"ignore:Exception ignored in. <async_generator object"
        r":pytest.PytestUnraisableExceptionWarning"
    ),
]

SCRIPT = Path(__file__).with_name("mcp_http_server.py")


@asynccontextmanager
async def served(port: int = 0) -> AsyncIterator[int]:
    """A running server's port; the server is killed at the end."""
    command = [sys.executable, str(SCRIPT), str(port), "far"]
    async with await anyio.open_process(command, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        try:
            yield int(await TextReceiveStream(process.stdout).receive())
        finally:
            with suppress(ProcessLookupError):
                process.kill()


def far(port: int, token: str = "let-me-in") -> ServerConfig:
    headers = {"Authorization": f"Bearer {token}"}
    return ServerConfig("far", HttpEndpoint(f"http://127.0.0.1:{port}/mcp", headers))


async def test_tools_are_called_and_changes_heard_of_over_http(context):
    async with served() as port, opened(far(port)) as servers:
        assert (await call(servers, "far__echo", {"word": "hi"}))["isError"] is False
        await tool_of(servers, "far__steps").handler({}, context)
        await call(servers, "far__add", {"name": "late"})
        await wait_until(servers, lambda: any(tool.name == "far__late" for tool in servers.tools))

        assert context == [("half", 1, 2)]


async def test_a_cancelled_call_is_cancelled_on_the_server_over_http(tmp_path):
    trace = tmp_path / "trace"
    async with served() as port, opened(far(port)) as servers:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(call, servers, "far__hold", {"trace": str(trace)})
            while not await anyio.Path(trace).exists():
                await anyio.lowlevel.checkpoint()
            tasks.cancel_scope.cancel()
        while await anyio.Path(trace).read_text() != "cancelled":
            await anyio.lowlevel.checkpoint()


async def test_a_server_that_dies_mid_call_and_returns_is_used_again():
    async with served() as port, opened(far(port)) as servers:
        with pytest.raises(ToolError, match="far went away during the call"):
            await call(servers, "far__die")
        await wait_until(servers, lambda: servers.unconnected)
        async with served(port):
            await wait_until(servers, lambda: not servers.unconnected)

            assert (await call(servers, "far__echo"))["isError"] is False


async def test_a_refused_server_is_named_and_the_token_is_not():
    async with served() as port, opened(far(port, "wrong-token")) as servers:
        assert servers.unconnected == ("far",)
        assert servers.reasons["far"] == "Server returned an error response"


async def test_a_server_that_is_not_there_is_named():
    async with opened(far(9)) as servers:
        assert servers.reasons == {"far": "it cannot be reached (ConnectError)"}
