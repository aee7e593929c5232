"""How long to wait before a server is tried again: pure, no clock and no chance of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

# More doublings reach any longest pause; keeps the power small.
_MOST_DOUBLINGS: Final = 16


@dataclass(frozen=True, slots=True)
class BackOff:
    """Pauses that double.

    Attributes:
        first_s: Seconds after the first failure: a server that was restarted is back soon.
        longest_s: Seconds never exceeded: a person who repaired a server waits no longer.
        steady_s: Seconds that a connection must have lasted for its end to count as the first
            failure again; a server that dies at once each time must not be started in a loop.
    """

    first_s: float = 0.5
    longest_s: float = 60.0
    steady_s: float = 30.0

    def failures_after(self, failures: int, *, lasted_s: float) -> int:
        """How many connections in a row were short, the one that just ended included."""
        return 1 if lasted_s >= self.steady_s else failures + 1

    def pause_s(self, failures: int, *, jitter: float) -> float:
        """Seconds to wait.

        Args:
            failures: From 1.
            jitter: From 0 to 1; spreads the pauses over their upper half, so that servers that
                went down together do not come back together.
        """
        doublings = min(max(failures - 1, 0), _MOST_DOUBLINGS)
        return min(self.first_s * 2.0**doublings, self.longest_s) * (0.5 + jitter / 2)
