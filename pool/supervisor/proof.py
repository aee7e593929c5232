"""The first worker of a pool, brought up before anybody relies on it.

What keeps workers from coming up (a broken installation, a layer of confinement that does not
hold) is then an error of the pool and not of its first runs.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from pool.worker.process import Worker

BootWorker = Callable[[], Awaitable[Worker]]


@asynccontextmanager
async def proven(boot: BootWorker) -> AsyncIterator[BootWorker]:
    """`boot`, once it has worked: the first call gives the worker that is ready already.

    Raises:
        Unavailable: From `boot`.

    Cancellation:
        At any point; leaving kills the worker if nobody called for it.
    """
    ready = [await boot()]

    async def next_worker() -> Worker:
        return ready.pop() if ready else await boot()

    try:
        yield next_worker
    finally:
        for worker in ready:
            await worker.kill()
