"""Which worker serves which request: facts in, decisions out. No I/O, no clock, no state.

A fleet has `size` **slots** and `spares` more **places**.

- A worker holds a slot from the moment it serves a run: busy, getting ready again, or idle for its
  tenant. Slots bound the runs at once.
- Every process holds a place: slots, spares, workers that boot and workers being killed together
  are at most `size + spares`. A killed worker has given its slot back (its program runs no more)
  but keeps its place until it is reaped.

Rules: a worker without tenant serves one run. A worker with one serves that tenant only, until it
is spent. A request gets its tenant's idle worker, else a spare, else it waits for its tenant's
worker to get ready again or for a boot. Who waits for a boot holds a slot against those behind it,
so that a tenant with idle workers cannot starve one without. When idle workers hold all slots, the
one used least recently goes.

`decide` is complete: once its decisions are carried out, deciding again gives none.
"""

from __future__ import annotations

from collections import Counter
from operator import attrgetter

from pool.supervisor.facts import (
    Assign,
    Boot,
    Condition,
    Decision,
    Facts,
    Policy,
    Refusal,
    Refuse,
    Retire,
    State,
    Why,
    WorkerFact,
)
from pool.supervisor.queue import Request


def decide(facts: Facts, now: float) -> list[Decision]:
    """What to do now, in the order in which to do it."""
    plan = _Plan(facts, now)
    plan.retire_spent()
    plan.place_waiting()
    plan.turn_away()
    plan.retire_surplus()
    plan.boot()
    return plan.decisions


def last_word(tenant: str | None, condition: Condition) -> Why | None:
    """Why a worker ends after the run it just served; None when it may get ready again.

    That a program was refused before it ran is only the worker's word: enough to spare its tenant
    a boot, not enough to hand the process to anybody else.
    """
    if condition is Condition.UNCLEAN:
        return Why.UNCLEAN
    return Why.SINGLE_USE if tenant is None else None


def spent(worker: WorkerFact, policy: Policy, now: float) -> Why | None:
    """Why an idle worker should serve no further run; None while it may."""
    if worker.runs >= policy.max_runs:
        return Why.RUNS
    if now - worker.born_at >= policy.max_age_s:
        return Why.AGE
    if worker.growth_bytes > policy.growth_limit_bytes(worker.memory_mib):
        return Why.GROWTH
    return None


class _Plan:
    """The decisions so far, and what they leave: a working copy that lives for one `decide`."""

    __slots__ = (
        "booting",
        "claims",
        "decisions",
        "facts",
        "free_slots",
        "idle",
        "now",
        "queued",
        "resetting",
        "spare",
    )

    def __init__(self, facts: Facts, now: float) -> None:
        self.facts = facts
        self.now = now
        self.decisions: list[Decision] = []
        self.idle: list[WorkerFact] = []
        self.spare: list[WorkerFact] = []
        self.resetting: Counter[str | None] = Counter()
        self.booting = 0
        self.free_slots = facts.size
        self.claims = 0
        self.queued: list[Request] = []
        for worker in facts.workers:
            self._count(worker)
        # Least recently used first: the victim is the first one, a tenant's choice the last.
        self.idle.sort(key=attrgetter("idle_since"))

    def _count(self, worker: WorkerFact) -> None:
        match worker.state:
            case State.IDLE:
                self.idle.append(worker)
                self.free_slots -= 1
            case State.BUSY:
                self.free_slots -= 1
            case State.RESETTING:
                self.resetting[worker.tenant] += 1
                self.free_slots -= 1
            case State.SPARE:
                self.spare.append(worker)
            case State.BOOTING:
                self.booting += 1

    def retire_spent(self) -> None:
        for worker in tuple(self.idle):
            why = spent(worker, self.facts.policy, self.now)
            if why is not None:
                self._retire_idle(worker, why)

    def place_waiting(self) -> None:
        """Give each request in turn what there is for it, or a claim on what will be."""
        live = []
        for request in self.facts.waiting:
            if request.deadline > self.now:
                live.append(request)
            else:
                self.decisions.append(Refuse(request, Refusal.EXPIRED))
        pending = Counter([request.tenant for request in live])
        for request in live:
            if not self._place(request, pending[request.tenant]):
                self.queued.append(request)
            pending[request.tenant] -= 1

    def _place(self, request: Request, pending: int) -> bool:
        """Assign or refuse the request, or hold a slot for it; False when there is none.

        `pending` counts its tenant's requests from this one on. As many of them as its workers
        that get ready again wait for those: the last ones, so that none overtakes.
        """
        own = self._own_idle(request)
        if own is not None:
            self.idle.remove(own)
            self.decisions.append(Assign(request, own))
            return True
        if request.tenant is not None and pending <= self.resetting[request.tenant]:
            return True
        if not self.free_slots and not self.idle:
            return False
        if not self.spare and self._is_hopeless(request):
            self.decisions.append(Refuse(request, Refusal.BOOT_FAILED))
            return True
        if not self.free_slots:
            self._retire_idle(self.idle[0], Why.ROOM)
        self.free_slots -= 1
        if self.spare:
            self.decisions.append(Assign(request, self.spare.pop()))
        else:
            self.claims += 1
        return True

    def _own_idle(self, request: Request) -> WorkerFact | None:
        """The tenant's idle worker used last that leaves the run its memory; others go."""
        if request.tenant is None:
            return None
        limit = self.facts.policy.growth_limit_bytes(request.memory_mib)
        own = [worker for worker in self.idle if worker.tenant == request.tenant]
        for worker in reversed(own):
            if worker.growth_bytes <= limit:
                return worker
            # Kept for a larger run, it would let that one overtake this one.
            self._retire_idle(worker, Why.GROWTH)
        return None

    def _is_hopeless(self, request: Request) -> bool:
        """Whether the last of too many failed boots failed while this request waited."""
        boots = self.facts.boots
        has_failed = boots.failures >= self.facts.policy.max_boot_failures
        return has_failed and request.asked_at <= boots.failed_at

    def _retire_idle(self, worker: WorkerFact, why: Why) -> None:
        self.idle.remove(worker)
        self.free_slots += 1
        self.decisions.append(Retire(worker, why))

    def turn_away(self) -> None:
        """Refuse what the queue cannot hold: the last of the longest line, as often as needed.

        Refusing whoever comes last instead would let one tenant's flood keep all others out.
        """
        excess = len(self.queued) - self.facts.max_queue
        if excess <= 0:
            return
        lines: dict[str | None, list[Request]] = {}
        for request in self.queued:
            lines.setdefault(request.tenant, []).append(request)
        for _ in range(excess):
            longest = max(lines.values(), key=lambda line: (len(line), line[-1].id if line else 0))
            self.decisions.append(Refuse(longest.pop(), Refusal.QUEUE_FULL))

    def retire_surplus(self) -> None:
        """Let go of old spares that are more than were promised.

        Boots begun for requests that then left make them. Young ones stay: they are paid for,
        within the bound, and the next burst may want them.
        """
        surplus = self.booting + len(self.spare) - self.claims - self.facts.spares
        for worker in tuple(self.spare):
            if surplus > 0 and self.now - worker.born_at >= self.facts.policy.max_age_s:
                self.spare.remove(worker)
                self.decisions.append(Retire(worker, Why.SURPLUS))
                surplus -= 1

    def boot(self) -> None:
        """Boot for those who wait and for the promised spares, as far as there are places."""
        wanted = self.claims + self.facts.spares - self.booting - len(self.spare)
        places = self.facts.size + self.facts.spares - len(self.facts.workers)
        count = min(wanted, places)
        if self.facts.boots.failures:
            # One attempt at a time shows whether boots work again.
            is_time = self.now >= self.facts.policy.retry_at(self.facts.boots)
            count = min(count, 1 - self.booting) if is_time else 0
        if count > 0:
            self.decisions.append(Boot(count))
