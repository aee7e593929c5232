"""What a tool may know and say about the call it answers: identity, cancellation, progress."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from anyio.lowlevel import current_token

from pool.program.positions import well_formed

# The events of a run are kept until it is over. Far more than anybody watches; a tool that reports
# in a tight loop fills no memory, and its later words are dropped.
MAX_REPORTS: Final = 10_000

# A line on somebody's screen.
MAX_REPORT_CHARS: Final = 1_000


@dataclass(frozen=True, slots=True)
class CallProgress:
    """What a tool reported about a call that is open. An event of the run.

    Attributes:
        index: The call's, as in `CallStarted`.
        message: At most `MAX_REPORT_CHARS` characters.
        done: How much is done, of `total`; None when the tool did not say.
        total: How much there is to do, in the same unit.
    """

    index: int
    message: str
    done: float | None = None
    total: float | None = None


@dataclass(frozen=True, slots=True)
class CallIdentity:
    """Which call of its run it is, and of which tool: the canonical name."""

    index: int
    name: str


class ToolContext:
    """One call, as its tool sees it. A parameter annotated with this class is filled by the host.

    Safe to use from any thread. Made on the event loop, for each call anew.

    Attributes:
        call: Which call it is.
    """

    __slots__ = ("_is_cancelled", "_is_over", "_left", "_on_progress", "_soon", "_thread", "call")

    def __init__(self, call: CallIdentity, on_progress: Callable[[CallProgress], None]) -> None:
        self.call = call
        self._on_progress = on_progress
        self._soon = _soon()
        self._thread = threading.get_ident()
        self._left = MAX_REPORTS
        self._is_cancelled = False
        self._is_over = False

    @property
    def is_cancelled(self) -> bool:
        """Whether nobody waits for the result any more: a thread should look now and then."""
        return self._is_cancelled

    def progress(self, message: str, done: float | None = None, total: float | None = None) -> None:
        """Report how far the call is. Never waits; after the end of the call it does nothing."""
        report = CallProgress(
            self.call.index, well_formed(str(message)[:MAX_REPORT_CHARS]), done, total
        )
        if threading.get_ident() == self._thread:
            self._take(report)
            return
        # An event loop that is gone has nobody who listens.
        with suppress(RuntimeError):
            self._soon(self._take, report)

    def end(self, *, is_cancelled: bool) -> None:
        """The call is over; what is still reported is dropped. Called by the host."""
        self._is_over = True
        self._is_cancelled = is_cancelled

    def _take(self, report: CallProgress) -> None:
        if self._is_over or self._left == 0:
            return
        self._left -= 1
        self._on_progress(report)


def _soon() -> Callable[..., Any]:
    """The event loop's own way to be handed a function by another thread, without waiting.

    Not `anyio.from_thread.run_sync`: it waits, and for ever when the event loop ends meanwhile.
    """
    loop: Any = current_token().native_token
    name = "run_sync_soon" if hasattr(loop, "run_sync_soon") else "call_soon_threadsafe"
    soon: Callable[..., Any] = getattr(loop, name)
    return soon
