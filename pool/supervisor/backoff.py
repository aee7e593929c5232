"""What is known about boots that fail: a frozen value, no clock and no waiting of its own.

Several workers boot at once, so one broken thing makes several boots fail together. They count as
one failure: only an attempt that began after the last counted failure says something new.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Self

# More doublings reach any longest pause; keeps the power small.
_MOST_DOUBLINGS: Final = 16


@dataclass(frozen=True, slots=True)
class BackOff:
    """The failures since the last worker that came up.

    Attributes:
        failures: How many attempts failed in a row; 0 when the last one succeeded.
        failed_at: When the last counted one failed, in the fleet's seconds.
        reason: Why the latest one failed.
    """

    failures: int = 0
    failed_at: float = float("-inf")
    reason: str = ""

    def retry_at(self, *, first_s: float, longest_s: float) -> float:
        """When the next attempt may begin; long ago when nothing failed.

        Args:
            first_s: Seconds to wait after the first failure, doubled after each further one.
            longest_s: Seconds never exceeded.
        """
        doublings = min(max(self.failures - 1, 0), _MOST_DOUBLINGS)
        return self.failed_at + min(first_s * 2.0**doublings, longest_s)

    def failed(self, *, began_at: float, now: float, reason: str) -> Self:
        """After an attempt that began at `began_at` failed at `now`."""
        if self.failures and began_at <= self.failed_at:
            return replace(self, reason=reason)
        return replace(self, failures=self.failures + 1, failed_at=now, reason=reason)

    def succeeded(self) -> BackOff:
        """After an attempt that brought a worker up."""
        return BackOff()
