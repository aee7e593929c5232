"""Opens configured servers, and looks at what they offer."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio

from pool import Tool
from pool.tools.sources.mcp import BackOff, McpServers, ServerConfig, StdioLaunch, open_servers

SERVING = Path(__file__).with_name("mcp_serving.py")

# Against hanging; starting a server takes 1 to 2 s of it.
PATIENCE_S = 15

# Tests wait for a server to come back, and none of them for a pause.
SOON = BackOff(first_s=0.01, longest_s=0.05)


def serving(name: str, *options: str, **more: Any) -> ServerConfig:
    """A server of `mcp_serving.py`."""
    return ServerConfig(name, StdioLaunch(sys.executable, (str(SERVING), name, *options)), **more)


def running(name: str, script: str, **more: Any) -> ServerConfig:
    """A server that is a Python script, or none at all."""
    return ServerConfig(name, StdioLaunch(sys.executable, ("-c", script)), **more)


@asynccontextmanager
async def opened(*configs: ServerConfig) -> AsyncIterator[McpServers]:
    """Servers that have settled."""
    with anyio.fail_after(PATIENCE_S):
        async with open_servers(configs, back_off=SOON, jitter=lambda: 0.0) as servers:
            await servers.ready(PATIENCE_S)
            yield servers


def tool_of(servers: McpServers, name: str) -> Tool:
    [tool] = [tool for tool in servers.tools if tool.name == name]
    return tool


async def call(servers: McpServers, name: str, argument: Any = None) -> Any:
    return await tool_of(servers, name).handler({} if argument is None else argument)


async def wait_until(servers: McpServers, condition: Any) -> None:
    while not condition():
        await servers.wait_changed(servers.version)


def plain(name: str, definitions: list[Any]) -> ServerConfig:
    """A server of `mcp_plain_server.py`: the older protocol, and any definitions."""
    script = str(Path(__file__).with_name("mcp_plain_server.py"))
    return ServerConfig(name, StdioLaunch(sys.executable, (script, json.dumps(definitions))))
