"""Placement by example: which worker serves which request."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import pytest

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
    Why,
    WorkerFact,
)
from pool.supervisor.placement import decide, last_word
from pool.supervisor.queue import Request

NOW = 100.0

_ids = count(1)


def worker(state: State, tenant: str | None = None, *, idle_since: float = 0.0) -> WorkerFact:
    runs = 0 if state in (State.BOOTING, State.SPARE) else 1
    return WorkerFact(
        next(_ids), state, NOW - 1, tenant, runs, memory_mib=256, idle_since=idle_since
    )


def asks(tenant: str | None = None, *, memory_mib: int = 256, deadline: float = 999.0) -> Request:
    return Request(next(_ids), tenant, memory_mib, asked_at=NOW - 1, deadline=deadline)


def given(
    *workers: WorkerFact,
    waiting: tuple[Request, ...] = (),
    size: int = 2,
    spares: int = 0,
    max_queue: int = 100,
    boots: BackOff | None = None,
) -> Facts:
    return Facts(
        size=size,
        spares=spares,
        max_queue=max_queue,
        workers=workers,
        waiting=waiting,
        boots=boots or BackOff(),
        policy=Policy(),
    )


def decisions(facts: Facts) -> list[Decision]:
    return decide(facts, NOW)


def test_an_empty_fleet_boots_its_spares() -> None:
    assert decisions(given(spares=3)) == [Boot(3)]


def test_a_request_gets_its_tenants_idle_worker_before_a_spare() -> None:
    own, spare, request = worker(State.IDLE, "a"), worker(State.SPARE), asks("a")

    assert decisions(given(spare, own, waiting=(request,))) == [Assign(request, own)]


def test_of_several_idle_workers_a_tenant_gets_the_one_used_last() -> None:
    old = worker(State.IDLE, "a", idle_since=1)
    new = worker(State.IDLE, "a", idle_since=2)
    request = asks("a")

    assert decisions(given(new, old, waiting=(request,))) == [Assign(request, new)]


@pytest.mark.parametrize("tenant", ["b", None])
def test_an_idle_worker_serves_nobody_but_its_tenant(tenant: str | None) -> None:
    facts = given(worker(State.IDLE, "a"), waiting=(asks(tenant),))

    assert decisions(facts) == [Boot(1)]


def test_a_spare_is_replaced_when_it_is_taken() -> None:
    spare, request = worker(State.SPARE), asks()

    assert decisions(given(spare, waiting=(request,), spares=1)) == [
        Assign(request, spare),
        Boot(1),
    ]


def test_no_more_than_size_runs_at_once_even_with_a_spare_at_hand() -> None:
    facts = given(worker(State.BUSY), worker(State.SPARE), waiting=(asks(),), size=1, spares=1)

    assert decisions(facts) == []


def test_the_idle_worker_used_least_recently_makes_room() -> None:
    old = worker(State.IDLE, "a", idle_since=1)
    new = worker(State.IDLE, "b", idle_since=2)
    spare, request = worker(State.SPARE), asks("c")

    assert decisions(given(new, old, spare, waiting=(request,), spares=1)) == [
        Retire(old, Why.ROOM),
        Assign(request, spare),
    ]


def test_the_place_of_a_worker_is_free_only_when_it_is_reaped() -> None:
    retiring = worker(State.RETIRING, "a")
    facts = given(retiring, waiting=(asks("c"),), size=1)

    assert decisions(facts) == []
    assert decisions(replace(facts, workers=())) == [Boot(1)]


def test_a_request_waits_for_its_tenants_worker_that_gets_ready_again() -> None:
    facts = given(worker(State.RESETTING, "a"), worker(State.SPARE), waiting=(asks("a"),))

    assert decisions(facts) == []


def test_of_two_requests_the_first_takes_the_spare_and_the_last_waits_for_the_reset() -> None:
    spare, first, second = worker(State.SPARE), asks("a"), asks("a")
    facts = given(worker(State.RESETTING, "a"), spare, waiting=(first, second))

    assert decisions(facts) == [Assign(first, spare)]


def test_who_waits_for_a_boot_holds_a_slot_against_those_behind() -> None:
    facts = given(
        worker(State.IDLE, "b"), worker(State.BUSY), waiting=(asks("a"), asks("b")), size=2
    )

    assert [type(decision) for decision in decisions(facts)] == [Retire]


def test_who_waits_for_a_boot_holds_only_one_slot() -> None:
    own, first, second = worker(State.IDLE, "b"), asks("a"), asks("b")

    assert decisions(given(own, waiting=(first, second), size=2)) == [
        Assign(second, own),
        Boot(1),
    ]


def test_a_request_past_its_deadline_gets_no_worker() -> None:
    late = asks(deadline=NOW)

    assert decisions(given(worker(State.SPARE), waiting=(late,), spares=1)) == [
        Refuse(late, Refusal.EXPIRED)
    ]


def test_one_too_many_in_the_queue_is_refused() -> None:
    first, second, third = asks(), asks(), asks()
    facts = given(worker(State.BUSY), waiting=(first, second, third), size=1, max_queue=2)

    assert decisions(facts) == [Refuse(third, Refusal.QUEUE_FULL)]
    assert decisions(replace(facts, max_queue=3)) == []


def test_who_has_a_slot_coming_is_not_counted_as_queued() -> None:
    assert decisions(given(waiting=(asks(), asks()), size=2, max_queue=0)) == [Boot(2)]


def test_a_flood_is_turned_away_from_its_own_end_not_from_other_tenants() -> None:
    flood = (asks("a"), asks("a"), asks("a"))
    facts = given(worker(State.BUSY), waiting=(*flood, asks("b")), size=1, max_queue=3)

    assert decisions(facts) == [Refuse(flood[-1], Refusal.QUEUE_FULL)]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"runs": 500}, Why.RUNS),
        ({"born_at": NOW - 600}, Why.AGE),
        ({"growth_bytes": 64 * MIB + 1}, Why.GROWTH),
        ({"memory_mib": 64, "growth_bytes": 16 * MIB + 1}, Why.GROWTH),
    ],
)
def test_a_spent_worker_serves_no_further_run(change: dict[str, float], why: Why) -> None:
    spent = replace(worker(State.IDLE, "a"), **change)

    assert decisions(given(spent)) == [Retire(spent, why)]


@pytest.mark.parametrize(
    "change",
    [
        {"runs": 499},
        {"born_at": NOW - 599},
        {"growth_bytes": 64 * MIB},
        {"memory_mib": 64, "growth_bytes": 16 * MIB},
    ],
)
def test_a_worker_that_is_almost_spent_serves_on(change: dict[str, float]) -> None:
    idle, request = replace(worker(State.IDLE, "a"), **change), asks("a", memory_mib=64)
    fits = idle.growth_bytes <= 16 * MIB

    expected = [Assign(request, idle)] if fits else [Retire(idle, Why.GROWTH), Boot(1)]
    assert decisions(given(idle, waiting=(request,))) == expected


def test_garbage_of_larger_runs_is_not_charged_to_a_small_one() -> None:
    grown = replace(worker(State.IDLE, "a"), growth_bytes=32 * MIB)
    small, large = asks("a", memory_mib=64), asks("a", memory_mib=128)

    assert decisions(given(grown, waiting=(small,))) == [Retire(grown, Why.GROWTH), Boot(1)]
    assert decisions(given(grown, waiting=(large,))) == [Assign(large, grown)]


def test_a_spare_does_not_age_but_a_surplus_one_does() -> None:
    old = replace(worker(State.SPARE), born_at=NOW - 600)
    young = worker(State.SPARE)

    assert decisions(given(old, spares=1)) == []
    assert decisions(given(old, young, spares=1)) == [Retire(old, Why.SURPLUS)]
    assert decisions(given(young, worker(State.SPARE), spares=1)) == []


def failed(times: int, at: float) -> BackOff:
    return BackOff(failures=times, failed_at=at, reason="no memory")


def test_after_a_failed_boot_nothing_boots_until_the_pause_is_over() -> None:
    assert decisions(given(spares=3, boots=failed(1, NOW - 0.05))) == []


def test_after_the_pause_one_boot_at_a_time_is_tried() -> None:
    boots = failed(1, NOW - 0.2)

    assert decisions(given(spares=3, boots=boots)) == [Boot(1)]
    assert decisions(given(worker(State.BOOTING), spares=3, boots=boots)) == []


@pytest.mark.parametrize(("failures", "is_told"), [(2, False), (3, True)])
def test_who_waited_through_the_last_of_too_many_failures_is_told(
    failures: int, is_told: bool
) -> None:
    request = asks()
    facts = given(waiting=(request,), boots=failed(failures, NOW - 0.01))

    expected = [Refuse(request, Refusal.BOOT_FAILED)] if is_told else []
    assert decisions(facts) == expected


def test_who_came_after_the_last_failure_waits_for_the_next_attempt() -> None:
    facts = given(waiting=(asks(),), boots=failed(3, NOW - 2))

    assert decisions(facts) == [Boot(1)]


def test_failing_boots_do_not_concern_who_waits_for_a_run_to_end() -> None:
    request, boots = asks("a"), failed(3, NOW - 0.01)
    facts = given(worker(State.BUSY, "a"), waiting=(request,), size=1, boots=boots)

    assert decisions(facts) == []
    assert decisions(replace(facts, workers=())) == [Refuse(request, Refusal.BOOT_FAILED)]


@pytest.mark.parametrize(
    ("tenant", "condition", "why"),
    [
        ("a", Condition.CLEAN, None),
        ("a", Condition.UNUSED, None),
        ("a", Condition.UNCLEAN, Why.UNCLEAN),
        (None, Condition.CLEAN, Why.SINGLE_USE),
        (None, Condition.UNUSED, Why.SINGLE_USE),
        (None, Condition.UNCLEAN, Why.UNCLEAN),
    ],
)
def test_what_becomes_of_a_worker_after_a_run(
    tenant: str | None, condition: Condition, why: Why | None
) -> None:
    assert last_word(tenant, condition) is why
