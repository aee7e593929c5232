"""Servers to talk to: the command as a client starts it, and one that listens on loopback."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mcp import StdioServerParameters

COMMAND = (sys.executable, "-m", "pool.cli", "mcp")

TOOLS = '''
import os
import anyio
from pool import Exposure, Tool, tool

released = anyio.Event()

@tool
def double(number: int) -> int:
    """Twice as much."""
    print("a tool prints")
    os.system("echo and so does its child")
    return 2 * number

@tool
async def hold() -> None:
    """Waits for its end, whatever it is."""
    try:
        await anyio.sleep_forever()
    finally:
        released.set()

@tool
async def wait_for_release() -> bool:
    """Waits until hold() has ended."""
    await released.wait()
    return True

@tool
def process_id() -> int:
    """Of the server."""
    return os.getpid()

found = Tool(
    name="found",
    handler=lambda _: {"half": "\\ud83d"},
    description="Found by searching.",
    exposure=Exposure.CODEMODE,
)
secret = Tool(name="secret", handler=lambda _: 1, exposure=Exposure.HIDDEN)
'''


def tool_file(directory: Path) -> Path:
    file = directory / "tools.py"
    file.write_text(TOOLS, encoding="utf-8")
    return file


def stdio(tools: Path, *arguments: str) -> StdioServerParameters:
    return StdioServerParameters(
        command=COMMAND[0], args=[*COMMAND[1:], "--tools", str(tools), *arguments]
    )


@contextmanager
def listening(tools: Path, *arguments: str, at: str = "127.0.0.1:0") -> Iterator[str]:
    """A server on a free port; yields its address."""
    command = [*COMMAND, "--http", at, "--tools", str(tools), *arguments]
    with subprocess.Popen(command, stderr=subprocess.PIPE, encoding="utf-8") as server:
        assert server.stderr is not None
        said = server.stderr.readline()
        try:
            yield said.split()[-1]
        finally:
            server.terminate()
            server.communicate(timeout=10)
