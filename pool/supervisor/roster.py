"""The fleet's own book-keeping: one `Member` for each worker, one `Ticket` for each request.

These are the only mutable records of the room, and only the fleet changes them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import anyio

from pool.supervisor.facts import WorkerFact
from pool.supervisor.lease import Lease
from pool.supervisor.queue import Request
from pool.worker.process import Worker


@dataclass(slots=True, eq=False)
class Member:
    """One worker from the decision to boot it until it is reaped.

    Attributes:
        fact: What placement knows of it.
        worker: None until it has booted.
        baseline_rss_bytes: Resident memory after the boot; 0 when unknown.
        lease: Who uses it now.
        handed_back: Set when the lease ends; made by whoever waits for that.
        watch: Its task waits in here; cancelled when the worker is to be killed.
        gone: Set when it is reaped and its place is free.
    """

    fact: WorkerFact
    worker: Worker | None = None
    baseline_rss_bytes: int = 0
    lease: Lease | None = None
    handed_back: anyio.Event | None = None
    watch: anyio.CancelScope = field(default_factory=anyio.CancelScope)
    gone: anyio.Event = field(default_factory=anyio.Event)


@dataclass(slots=True, eq=False)
class Ticket:
    """One request until it has a worker or an error.

    Attributes:
        member: Its worker, once assigned.
        before: What was known of that worker before; None until assigned.
        error: Why it gets none, once refused.
        news: Set when either is there; made by whoever waits for that.
    """

    request: Request
    member: Member | None = None
    before: WorkerFact | None = None
    error: Exception | None = None
    news: anyio.Event | None = None

    @property
    def is_settled(self) -> bool:
        return self.member is not None or self.error is not None

    def tell(self) -> None:
        if self.news is not None:
            self.news.set()
