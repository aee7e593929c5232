"""Placement under every order of events: a model fleet that does what it is told at once.

Hypothesis plays the world: requests come and go, workers boot, fail, finish, die. After each event
the decisions are carried out and the promises of the room are checked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from pool.limits import MIB
from pool.supervisor.backoff import BackOff
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
    WorkerFact,
)
from pool.supervisor.placement import decide, last_word
from pool.supervisor.queue import FairQueue, Request

SLOTS = (State.BUSY, State.RESETTING, State.IDLE)
UNUSED = (State.RESETTING, State.IDLE, State.SPARE)

# Things that happen in one example: enough to fill, spend and replace the largest fleet here.
EVENTS = 60

# Rounds of `Model.step` in which the longest queue here is served many times over.
MOST_ROUNDS = 200
POLICY = Policy(max_runs=3, max_age_s=50.0, max_growth_mib=4)


class Model:
    """A fleet whose workers are facts and nothing else."""

    def __init__(self, *, size: int, spares: int, max_queue: int) -> None:
        self.size = size
        self.spares = spares
        self.max_queue = max_queue
        self.now = 1000.0
        self.ids = count(1)
        self.workers: dict[int, WorkerFact] = {}
        self.queue = FairQueue()
        self.boots = BackOff()
        self.users: dict[int, list[str | None]] = {}
        self.served: list[Request] = []
        self.refused: list[tuple[Request, Refusal]] = []

    def decide(self) -> list[Decision]:
        facts = Facts(
            size=self.size,
            spares=self.spares,
            max_queue=self.max_queue,
            workers=tuple(self.workers.values()),
            waiting=tuple(self.queue.in_turn()),
            boots=self.boots,
            policy=POLICY,
        )
        return decide(facts, self.now)

    def settle(self) -> None:
        for decision in self.decide():
            self.act(decision)
        assert self.decide() == [], "deciding again must find nothing to do"

    def act(self, decision: Decision) -> None:
        match decision:
            case Assign(request, worker):
                self.assign(request, worker)
            case Boot(wanted):
                for _ in range(wanted):
                    id_ = next(self.ids)
                    self.workers[id_] = WorkerFact(id_, State.BOOTING, self.now)
            case Retire(worker, _):
                assert worker.state in (State.IDLE, State.SPARE)
                self.move(worker, state=State.RETIRING)
            case Refuse(request, why):
                self.queue.drop(request)
                self.refused.append((request, why))

    def assign(self, request: Request, worker: WorkerFact) -> None:
        assert self.workers[worker.id] == worker
        assert worker.state in (State.IDLE, State.SPARE)
        assert request.deadline > self.now
        line = [other for other in self.queue.in_turn() if other.tenant == request.tenant]
        assert line[0] == request, "first come, first served within a tenant"
        self.users.setdefault(worker.id, []).append(request.tenant)
        self.queue.serve(request)
        self.served.append(request)
        self.move(worker, state=State.BUSY, tenant=request.tenant, memory_mib=request.memory_mib)

    def move(self, worker: WorkerFact, **changes: object) -> None:
        self.workers[worker.id] = replace(worker, **changes)  # type: ignore[arg-type]

    def having(self, *states: State) -> list[WorkerFact]:
        return [worker for worker in self.workers.values() if worker.state in states]

    def arrive(self, tenant: str | None, memory_mib: int = 256, patience_s: float = 1e9) -> Request:
        request = Request(
            next(self.ids), tenant, memory_mib, self.now, deadline=self.now + patience_s
        )
        self.queue.push(request)
        return request

    def boot_ends(self, worker: WorkerFact, *, is_up: bool) -> None:
        if is_up:
            self.boots = self.boots.succeeded()
            self.move(worker, state=State.SPARE, born_at=self.now)
        else:
            self.boots = self.boots.failed(began_at=worker.born_at, now=self.now, reason="x")
            del self.workers[worker.id]

    def run_ends(self, worker: WorkerFact, condition: Condition) -> None:
        why = last_word(worker.tenant, condition)
        state = State.RESETTING if why is None else State.RETIRING
        self.move(worker, state=state, runs=worker.runs + 1)

    def get_ready(self, worker: WorkerFact, growth_mib: int = 0) -> None:
        self.move(worker, state=State.IDLE, idle_since=self.now, growth_bytes=growth_mib * MIB)

    def step(self) -> bool:
        """Let everything that is under way come to its end; False when nothing was."""
        self.now += 10.0
        under_way = self.having(State.BOOTING, State.BUSY, State.RESETTING, State.RETIRING)
        for worker in under_way:
            match worker.state:
                case State.BOOTING:
                    self.boot_ends(worker, is_up=True)
                case State.BUSY:
                    self.run_ends(worker, Condition.CLEAN)
                case State.RESETTING:
                    self.get_ready(worker)
                case State.RETIRING:
                    del self.workers[worker.id]
            self.settle()
        self.settle()
        return bool(under_way)


class World:
    """Lets one thing after the other happen to a model; `choose` says what and to whom."""

    def __init__(self, model: Model, choose: Random) -> None:
        self.model = model
        self.choose = choose
        self.events: dict[Callable[[], None], tuple[State, ...]] = {
            self.boot_ends: (State.BOOTING,),
            self.run_ends: (State.BUSY,),
            self.gets_ready: (State.RESETTING,),
            self.is_reaped: (State.RETIRING,),
            self.dies: UNUSED,
        }

    def happen(self) -> None:
        possible = [event for event, states in self.events.items() if self.model.having(*states)]
        # Requests come as often as workers move; the rest is rarer, or nothing would ever be idle.
        rare = self.choose.choice([self.time_passes, self.leave, self.arrive])
        self.choose.choice([*possible, self.arrive, self.arrive, rare])()
        self.model.settle()

    def pick(self, *states: State) -> WorkerFact:
        return self.choose.choice(self.model.having(*states))

    def arrive(self) -> None:
        tenant = self.choose.choice(["a", "a", "b", "c", None])
        memory_mib = self.choose.choice([256, 256, 4])
        self.model.arrive(tenant, memory_mib, self.choose.choice([1e9, 1e9, 1e9, 5.0, 0.0]))

    def leave(self) -> None:
        waiting = list(self.model.queue.in_turn())
        if waiting:
            self.model.queue.drop(self.choose.choice(waiting))

    def boot_ends(self) -> None:
        is_up = self.choose.random() < 0.8
        self.model.boot_ends(self.pick(State.BOOTING), is_up=is_up)

    def run_ends(self) -> None:
        condition = self.choose.choice([Condition.CLEAN, Condition.CLEAN, *Condition])
        self.model.run_ends(self.pick(State.BUSY), condition)

    def gets_ready(self) -> None:
        self.model.get_ready(self.pick(State.RESETTING), self.choose.choice([0, 0, 2, 5]))

    def is_reaped(self) -> None:
        del self.model.workers[self.pick(State.RETIRING).id]

    def dies(self) -> None:
        if self.choose.random() < 0.2:
            self.model.move(self.pick(*UNUSED), state=State.RETIRING)

    def time_passes(self) -> None:
        self.model.now += self.choose.choice([0.1, 1.0, 10.0, 60.0])


def check(model: Model) -> None:
    """The promises of the room that hold at every moment."""
    assert len(model.having(*SLOTS)) <= model.size
    assert len(model.workers) <= model.size + model.spares
    assert len(model.queue) <= model.size + model.max_queue
    for users in model.users.values():
        assert len(set(users)) == 1, "two tenants in one worker"
        assert users[0] is not None or len(users) == 1, "a worker without tenant serves once"
    unassigned = len(model.having(State.BOOTING, State.SPARE))
    is_full = len(model.workers) == model.size + model.spares
    assert unassigned >= model.spares or is_full or model.boots.failures, "capacity is lost"


@settings(deadline=None, max_examples=120)
@given(
    size=st.integers(1, 3),
    spares=st.integers(0, 2),
    max_queue=st.integers(0, 4),
    choose=st.randoms(use_true_random=False),
)
def test_promises_hold_whatever_happens(
    size: int, spares: int, max_queue: int, choose: Random
) -> None:
    model = Model(size=size, spares=spares, max_queue=max_queue)
    world = World(model, choose)
    model.settle()

    for _ in range(EVENTS):
        world.happen()
        check(model)

    finish(model)


def finish(model: Model) -> None:
    """Let everything end well: everybody who still waits is served."""
    waiting = {request.id for request in model.queue.in_turn()}
    rounds = 0
    while model.step() or len(model.queue):
        rounds += 1
        assert rounds < MOST_ROUNDS, "somebody waits for ever"
    expired = {request.id for request, why in model.refused if why is Refusal.EXPIRED}
    assert waiting <= expired | {request.id for request in model.served}


@settings(deadline=None, max_examples=60)
@given(
    size=st.integers(1, 3),
    spares=st.integers(0, 2),
    victim=st.sampled_from(["victim", None]),
    flooders=st.integers(1, 3),
)
def test_a_flood_starves_nobody(size: int, spares: int, victim: str | None, flooders: int) -> None:
    model = Model(size=size, spares=spares, max_queue=50)
    flood = [f"flood {number}" for number in range(flooders)]
    for tenant in flood * (size + 3):
        model.arrive(tenant)
    model.settle()

    request = model.arrive(victim)
    rounds = 0
    while request not in model.served:
        assert rounds < 6 * (flooders + 1), "a few events for each tenant before it"
        rounds += 1
        for tenant in flood * size:
            model.arrive(tenant)
        model.step()
