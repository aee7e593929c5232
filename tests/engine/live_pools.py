"""Pools whose processes a test can see, and a tool that says when it was called.

The processes are found from outside, the way an operator would: the pool's spawner is a child of
this process, its workers are children of the spawner.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import anyio
import psutil

from pool import Pool, Tool

# Ends a run by time-out only.
FOREVER = "while (true) {}"

# Against hanging; nothing here takes a tenth of it.
PATIENCE_S = 15


@dataclass(frozen=True)
class Processes:
    """What runs for one pool."""

    spawner: psutil.Process

    def workers(self) -> list[psutil.Process]:
        return [child for child in self.spawner.children() if child.name() == "deno"]

    def only_worker(self) -> psutil.Process:
        [worker] = self.workers()
        return worker


@asynccontextmanager
async def watched_pool(**options: Any) -> AsyncIterator[tuple[Pool, Processes]]:
    """A running pool of one worker and no spare, unless told otherwise, and its processes."""
    host = psutil.Process()
    before = host.children()
    async with Pool(**{"size": 1, "spares": 0, **options}) as pool:
        [spawner] = [child for child in host.children() if child not in before]
        yield pool, Processes(spawner)


@dataclass
class Gate:
    """A tool, `gate`, whose calls stay open until the test opens it."""

    called: anyio.Event = field(default_factory=anyio.Event)
    opened: anyio.Event = field(default_factory=anyio.Event)
    left: anyio.Event = field(default_factory=anyio.Event)

    @property
    def tool(self) -> Tool:
        return Tool(name="gate", handler=self._pass)

    async def _pass(self, argument: Any) -> Any:
        self.called.set()
        try:
            await self.opened.wait()
        finally:
            self.left.set()
        return argument


async def wait_gone(process: psutil.Process) -> None:
    """Return when a process that need not be a child of this one has ended."""
    try:
        pidfd = os.pidfd_open(process.pid)
    except ProcessLookupError:
        return
    try:
        await anyio.wait_readable(pidfd)
    finally:
        os.close(pidfd)


async def warm_up(pool: Pool, tenant: str) -> None:
    """Have a worker ready for the tenant: a short time limit is then the program's own."""
    outcome = await pool.run("return 1", tenant=tenant)
    assert outcome.is_completed
