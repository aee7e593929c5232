"""Callers that wait in tasks of their own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable

import anyio
import pytest
from anyio.abc import TaskGroup
from fleets import Caller, rest

from pool.supervisor.fleet import Fleet

Enter = Callable[..., Awaitable[Caller]]


@pytest.fixture
async def tasks() -> AsyncIterator[TaskGroup]:
    """Where callers run; what is left of them when the test ends is cancelled."""
    async with anyio.create_task_group() as group:
        yield group
        group.cancel_scope.cancel()


@pytest.fixture
def enter(tasks: TaskGroup) -> Enter:
    """Starts a caller, and returns when it has a worker or waits for one.

    All callers of a test log into one list, in the order in which they are served.
    """
    log: list[str] = []

    async def start(fleet: Fleet, name: str, tenant: str | None = None, **more: float) -> Caller:
        caller = Caller(fleet, tenant, name, log, **more)
        tasks.start_soon(caller)
        await rest()
        return caller

    return start
