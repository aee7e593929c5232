"""How a worker's process ended, and what that says about it.

Pure. The signal alone says little: V8 ends by SIGTRAP when its heap is full and by SIGABRT when
its parser overflows the stack, and a thread that finds no memory for its own stack ends the
process with exit code 1 and no signal at all. So the text on standard error decides, in words
that were recorded from real workers (`tests/worker/test_exit.py`).
"""

from __future__ import annotations

import re
import signal
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


@dataclass(frozen=True, slots=True)
class Exit:
    """Status and use of resources of a process that has ended.

    Attributes:
        code: Exit code; None when a signal ended it.
        signal: Number of that signal; None when it exited.
        cpu_s: User and system time together.
        peak_rss_bytes: Highest resident memory of its life.
    """

    code: int | None
    signal: int | None
    cpu_s: float = 0.0
    peak_rss_bytes: int = 0


# Nobody is left to say how it ended: the spawner died first, or the kill was not confirmed.
UNKNOWN_EXIT: Final = Exit(code=None, signal=None)


class EndKind(StrEnum):
    """What the end of a worker means for its run.

    `OVERFLOW` is the stripper of TypeScript, which has no limit of its own: a source nests too
    deeply. Programs cannot use up that stack, the engine throws in time.
    """

    CLEAN = "clean"
    KILLED = "killed"
    CRASH = "crash"
    REJECTIONS = "rejections"
    MEMORY = "memory"
    OVERFLOW = "overflow"
    UNKNOWN = "unknown"


# Last words of a process that found no memory: of V8, of the runtime that has no room for a frame
# (a program catches its own), and of Rust.
_OUT_OF_MEMORY: Final = re.compile(
    rb"Fatal (?:JavaScript|process) out of memory|Last few GCs"
    rb"|Array buffer allocation failed"
    rb"|memory allocation of \d+ bytes failed"
    rb"|unable to create worker threads"
)

# Last words of a Deno that hands its listener more than some 40,000 rejections at once, each an
# argument of one call. It cannot be caught, and only there nothing follows: faults of the runtime
# come with their frames.
_TOO_MANY_REJECTIONS: Final = re.compile(
    rb"Uncaught RangeError: Maximum call stack size exceeded\s*\Z"
)
_STACK_OVERFLOW: Final = re.compile(rb"fatal runtime error: stack overflow")


def classify(exit: Exit | None, stderr_tail: bytes) -> EndKind:
    """What an end means.

    Args:
        exit: None when the process could not be reaped in time.
        stderr_tail: The last that it wrote to its standard error.
    """
    if exit is None or (exit.code is None and exit.signal is None):
        return EndKind.UNKNOWN
    if exit.signal == signal.SIGKILL:
        return EndKind.KILLED
    if exit.code == 0:
        return EndKind.CLEAN
    # C++ code that finds no memory for a small block aborts without a word, at the kernel's
    # limit; whatever else aborts a worker says why.
    is_silent_abort = exit.signal == signal.SIGABRT and not stderr_tail.strip()
    if is_silent_abort or _OUT_OF_MEMORY.search(stderr_tail):
        return EndKind.MEMORY
    if _STACK_OVERFLOW.search(stderr_tail):
        return EndKind.OVERFLOW
    return EndKind.REJECTIONS if _TOO_MANY_REJECTIONS.search(stderr_tail) else EndKind.CRASH
