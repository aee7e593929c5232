"""Exit codes of the command line, and the one way to end it with a message.

| code | meaning |
|---|---|
| 0 | the program completed |
| 1 | the program ran and failed, or was refused |
| 2 | wrong use: nothing was started |
| 3 | unavailable: nothing is wrong with the program, but it could not be run here and now |
| 128 + n | signal n stopped the run |
"""

from __future__ import annotations

import sys
from enum import IntEnum
from typing import Final

from pool.program.outcome import Outcome, Reason

SIGNAL_BASE: Final = 128


class ExitCode(IntEnum):
    COMPLETED = 0
    FAILED = 1
    WRONG_USE = 2
    UNAVAILABLE = 3


class WrongUse(Exception):
    """The command cannot be carried out as it was given; the message is one line for a person."""


def of_outcome(outcome: Outcome) -> ExitCode:
    """The exit code that says what came of a run."""
    if outcome.is_completed:
        return ExitCode.COMPLETED
    if outcome.reason is Reason.UNAVAILABLE:
        return ExitCode.UNAVAILABLE
    return ExitCode.FAILED


def complain(message: object) -> None:
    """Say one thing on standard error."""
    print(f"codepool: {message}", file=sys.stderr)
