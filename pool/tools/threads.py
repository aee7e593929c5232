"""Threads for tools that are plain functions.

A run never waits for a thread: when its call is cancelled or takes too long, the thread is left
behind and what it still returns is dropped. Nobody can stop it, so the ones left behind are
counted, and a tool that hangs cannot pile up threads without end.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from threading import Event, Lock
from typing import Any, Final

import anyio
from anyio import to_thread

from pool.errors import ToolError

# Threads left behind, for each that may be at work. Runs that are cancelled all at once leave as
# many as there are places; more than that means tools that hang.
_LEFT_PER_PLACE: Final = 1

# anyio gives a place back when the *call* is over, but only under asyncio; the places here mean
# the same under both event loops.
_NO_LIMIT: Final = math.inf


class Threads:
    """A pool's threads.

    Args:
        places: Calls at work at once; more wait.

    Attributes:
        at_work: Functions that have not returned.
        late_results: Functions that returned after their call was over.
    """

    __slots__ = ("_lock", "_most", "_places", "_unlimited", "at_work", "late_results")

    def __init__(self, places: int) -> None:
        self._places = anyio.CapacityLimiter(places)
        self._unlimited = anyio.CapacityLimiter(_NO_LIMIT)
        self._most = places * (1 + _LEFT_PER_PLACE)
        self.at_work = 0
        self.late_results = 0
        self._lock = Lock()

    async def run(self, function: Callable[[Any], Any], argument: Any) -> Any:
        """Call `function(argument)` in a thread.

        Raises:
            ToolError: Too many earlier calls have not returned.

        Cancellation:
            At once; the thread goes on alone and its result is dropped.
        """
        async with self._places:
            if self.at_work >= self._most:
                raise ToolError(
                    f"no thread is free: {self.at_work} earlier tool calls have not returned"
                )
            is_over = Event()
            work = partial(self._work, function, argument, is_over)
            try:
                return await to_thread.run_sync(
                    work, abandon_on_cancel=True, limiter=self._unlimited
                )
            finally:
                is_over.set()

    def _work(self, function: Callable[[Any], Any], argument: Any, is_over: Event) -> Any:
        with self._lock:
            self.at_work += 1
        try:
            return function(argument)
        finally:
            with self._lock:
                self.at_work -= 1
                self.late_results += is_over.is_set()
