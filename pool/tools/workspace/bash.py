"""`bash`: one command in the workspace, with the rights and the environment of the host.

Nothing confines it; it is there only when its owner asked for it. What is bounded is what it can
leave behind: its process group is killed when the command is over, takes too long or is
cancelled, and only head and tail of its output are kept.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

import anyio
from anyio.abc import Process

from pool.errors import ToolError
from pool.tools.workspace.beneath import Workspace

DEFAULT_TIMEOUT_S: Final = 120.0
MAX_TIMEOUT_S: Final = 600.0

# As `timeout` of coreutils reports it.
TIMED_OUT_EXIT_CODE: Final = 124

# Kept of the output at its beginning and at its end. A program reads results, not a model.
HEAD_BYTES: Final = 512 * 1024
TAIL_BYTES: Final = 512 * 1024

# What a pipe holds at most.
_CHUNK_BYTES: Final = 64 * 1024

# After the group is killed nobody writes any more, unless a process left the group and kept the
# pipe: that one is not waited for.
DRAIN_S: Final = 1.0

# From SIGKILL to reaped is a matter of milliseconds.
REAP_S: Final = 5.0

BASH: Final[dict[str, Any]] = {
    "description": (
        "Run a command with bash in the workspace directory. It is not confined: it has the host's"
        " rights, files, network and whole environment. Standard input is empty; standard output"
        " and error come back as one text, of which the middle is left out when it is long."
        " Processes still running in the background when the command ends are killed. A command"
        f" that fails or takes too long (exit_code {TIMED_OUT_EXIT_CODE}) does not reject: look at"
        " exit_code."
    ),
    "input_schema": {
        "type": "object",
        "properties": {
            "command": {"type": "string", "minLength": 1},
            "timeout_s": {
                "type": "number",
                "exclusiveMinimum": 0,
                "maximum": MAX_TIMEOUT_S,
                "default": DEFAULT_TIMEOUT_S,
                "description": "Seconds after which the command is killed",
            },
        },
        "required": ["command"],
        "additionalProperties": False,
    },
    "output_schema": {
        "type": "object",
        "properties": {
            "output": {"type": "string"},
            "truncated": {"type": "boolean"},
            "exit_code": {
                "type": "integer",
                "description": "128 and the number of the signal for a killed command",
            },
            "wall_time_seconds": {"type": "number"},
        },
        "required": ["output", "truncated", "exit_code", "wall_time_seconds"],
    },
}


async def run(workspace: Workspace, argument: dict[str, Any]) -> dict[str, Any]:
    """Run a command to its end or its time-out.

    Cancellation:
        The group is killed and the command reaped before it goes on, bounded by `REAP_S`.
    """
    timeout_s = float(argument.get("timeout_s", DEFAULT_TIMEOUT_S))
    began_at = anyio.current_time()
    output = _Output()
    async with (
        _started(argument["command"], workspace.root) as (process, reading),
        anyio.create_task_group() as tasks,
    ):
        tasks.start_soon(output.collect, reading)
        with anyio.move_on_after(timeout_s) as in_time:
            await process.wait()
        _kill_group(process)
        tasks.cancel_scope.deadline = anyio.current_time() + DRAIN_S
    return {
        "output": output.text(),
        "truncated": output.left_out > 0,
        "exit_code": TIMED_OUT_EXIT_CODE if in_time.cancelled_caught else _exit_code(process),
        "wall_time_seconds": round(anyio.current_time() - began_at, 3),
    }


@asynccontextmanager
async def _started(command: str, root: str) -> AsyncIterator[tuple[Process, int]]:
    """A command and the descriptor to read its output from; killed, reaped, closed on leaving."""
    # A pipe of our own: asyncio's `wait` also waits until its own pipes are closed, which a
    # process in the background can put off for ever.
    reading, writing = os.pipe()
    try:
        try:
            process = await _start(command, root, writing)
        finally:
            os.close(writing)
        try:
            yield process, reading
        finally:
            await _end(process)
    finally:
        os.close(reading)


async def _start(command: str, root: str, output: int) -> Process:
    try:
        return await anyio.open_process(
            ["bash", "-c", command],
            cwd=root,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError as error:
        # Its own text would name the directory.
        raise ToolError("bash cannot be started in the workspace") from error


class _Output:
    """Head and tail of what was written."""

    def __init__(self) -> None:
        self._head = bytearray()
        self._tail = bytearray()
        self.left_out = 0

    async def collect(self, descriptor: int) -> None:
        """Read until nobody holds the other end any more."""
        while True:
            await anyio.wait_readable(descriptor)
            chunk = os.read(descriptor, _CHUNK_BYTES)
            if not chunk:
                return
            self._take(chunk)

    def _take(self, chunk: bytes) -> None:
        room = HEAD_BYTES - len(self._head)
        self._head += chunk[:room]
        self._tail += chunk[room:]
        excess = max(len(self._tail) - TAIL_BYTES, 0)
        self.left_out += excess
        del self._tail[:excess]

    def text(self) -> str:
        if not self.left_out:
            return (self._head + self._tail).decode("utf-8", "replace")
        head, tail = (part.decode("utf-8", "replace") for part in (self._head, self._tail))
        return f"{head}\n[… {self.left_out} bytes left out …]\n{tail}"


def _kill_group(process: Process) -> None:
    # The command leads its own session, so its pid is the id of its group; the id stays taken
    # while one process of the group is left.
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


async def _end(process: Process) -> None:
    _kill_group(process)
    with anyio.move_on_after(REAP_S, shield=True):
        await process.wait()
        await process.aclose()


def _exit_code(process: Process) -> int:
    code = process.returncode
    assert code is not None
    return code if code >= 0 else 128 - code
