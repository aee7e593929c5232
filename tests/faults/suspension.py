"""Acting at the n-th moment at which a coroutine waits, whatever it waits for."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator
from typing import Any, TypeVar

T = TypeVar("T")


class ActWhenSuspended(Awaitable[T]):
    """Awaits `work` and calls `act` when it gives way to the event loop for the n-th time, from 0.

    Attributes:
        has_acted: Whether the work waited that often.
    """

    def __init__(self, work: Awaitable[T], *, nth: int, act: Callable[[], None]) -> None:
        self._work = work
        self._left = nth
        self._act = act
        self.has_acted = False

    def __await__(self) -> Generator[Any, Any, T]:
        steps = self._work.__await__()
        step, given = steps.send, None
        while True:
            try:
                wanted = step(given)
            except StopIteration as done:
                return done.value
            self._count()
            try:
                step, given = steps.send, (yield wanted)
            except BaseException as error:
                step, given = steps.throw, error

    def _count(self) -> None:
        if self._left == 0:
            self.has_acted = True
            self._act()
        self._left -= 1
