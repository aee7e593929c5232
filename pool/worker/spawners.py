"""A pool's spawner, and the next one when it has died.

A spawner that dies takes its workers along, and their runs are told. What starts workers later
asks here for one that lives. Nothing is repaired before somebody asks, so a spawner that keeps
dying is started again no faster than boots are tried; there is no pause of its own.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import anyio

from pool.worker.spawner_link import SpawnerLink


@asynccontextmanager
async def open_spawners(open: Callable[[], Awaitable[SpawnerLink]]) -> AsyncIterator[Spawners]:
    """Where to get a live spawner; leaving ends the one there is, with its workers.

    Args:
        open: Starts a spawner and makes it fit for use, whatever that takes; cleans up after
            itself when it fails or is cancelled.

    Cancellation:
        Leaving is shielded and bounded, see `SpawnerLink.close`.
    """
    spawners = Spawners(open)
    try:
        yield spawners
    finally:
        await spawners.close()


class Spawners:
    """Links to one spawner after the other, at most one at a time."""

    __slots__ = ("_link", "_open", "_opening")

    def __init__(self, open: Callable[[], Awaitable[SpawnerLink]]) -> None:
        self._open = open
        self._opening = anyio.Lock()
        self._link: SpawnerLink | None = None

    async def live(self) -> SpawnerLink:
        """The link to a spawner of which no end is known; starts one if there is none.

        Raises:
            Unavailable: It cannot be started. The next call tries again.

        Cancellation:
            At any point, as far as `open` allows.
        """
        async with self._opening:
            if self._link is None or not self._link.is_alive:
                await self.close()
                self._link = await self._open()
            return self._link

    async def close(self) -> None:
        """End the spawner and its workers, once nobody asks for it any more."""
        link, self._link = self._link, None
        if link is not None:
            await link.close()
