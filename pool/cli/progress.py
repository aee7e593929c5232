"""One line on a terminal while a run goes on: state, calls, elapsed time.

Only standard error, only when it is a terminal, and gone when the run is over: what a pipe or a
log receives never depends on it. The line is drawn by a thread of rich, so it moves also while
the event loop is busy.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pool.program.outcome import CallRecord
from pool.run import CallStarted, Event

if TYPE_CHECKING:
    from rich.text import Text

# A person sees no difference above this, and the thread costs nothing below it.
FRAMES_PER_SECOND = 8


@contextmanager
def progress_line() -> Iterator[Callable[[Event], None]]:
    """Show the line for the time of the context; yields what takes each event of the run."""
    if not sys.stderr.isatty():
        yield _ignore
        return
    # Half as long to import as everything else together, and needed on terminals only.
    from rich.console import Console
    from rich.live import Live

    line = _Line(started_at=time.monotonic())
    with Live(
        line,
        console=Console(stderr=True),
        transient=True,
        refresh_per_second=FRAMES_PER_SECOND,
        redirect_stdout=False,
        redirect_stderr=False,
    ):
        yield line.saw


def _ignore(_event: Event) -> None:
    return None


class _Line:
    """What is known of the run; rich asks for its text several times a second."""

    __slots__ = ("_ended", "_started", "_started_at")

    def __init__(self, *, started_at: float) -> None:
        self._started_at = started_at
        self._started = 0
        self._ended = 0

    def saw(self, event: Event) -> None:
        self._started += isinstance(event, CallStarted)
        self._ended += isinstance(event, CallRecord)

    def __rich__(self) -> Text:
        from rich.text import Text

        open_calls = self._started - self._ended
        state = "waiting for calls" if open_calls else "running"
        elapsed_s = time.monotonic() - self._started_at
        return Text(
            f"{state} · {self._ended} of {self._started} calls · {elapsed_s:.1f} s", style="dim"
        )
