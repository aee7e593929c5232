"""Who waits, and whose turn it is. Pure data: no clock, nobody is woken here.

Tenants take turns, and within a tenant the first to come is the first to go. A tenant whose first
request arrives joins the round at its end, and one that was served goes to the end: a tenant waits
at most one turn of every tenant before it, however many requests or tenants pour in. Requests
without tenant share one line, so that a flood of them is one tenant's flood.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Request:
    """One run that wants a worker. Times are the fleet's clock in seconds.

    Attributes:
        id: Counts up in the order of arrival.
        tenant: Whose workers may serve it; None for a worker of its own.
        memory_mib: What the run may allocate.
        asked_at: When it arrived.
        deadline: When it is too late to serve it.
    """

    id: int
    tenant: str | None
    memory_mib: int
    asked_at: float
    deadline: float


class FairQueue:
    """Waiting requests, one line for each tenant, the lines in the order of their turns."""

    __slots__ = ("_length", "_lines")

    def __init__(self) -> None:
        self._lines: dict[str | None, dict[int, Request]] = {}
        self._length = 0

    def __len__(self) -> int:
        return self._length

    def push(self, request: Request) -> None:
        """Let a new request wait at the end of its tenant's line."""
        self._lines.setdefault(request.tenant, {})[request.id] = request
        self._length += 1

    def serve(self, request: Request) -> None:
        """Take out a request that got a worker; its tenant's next turn comes last."""
        self.drop(request)
        line = self._lines.pop(request.tenant, None)
        if line is not None:
            self._lines[request.tenant] = line

    def drop(self, request: Request) -> None:
        """Take out a request that got none; its tenant keeps its turn."""
        line = self._lines[request.tenant]
        del line[request.id]
        self._length -= 1
        if not line:
            del self._lines[request.tenant]

    def in_turn(self) -> Iterator[Request]:
        """All requests in the order in which they are to be served."""
        lines = deque(iter(line.values()) for line in self._lines.values())
        while lines:
            line = lines.popleft()
            request = next(line, None)
            if request is not None:
                yield request
                lines.append(line)
