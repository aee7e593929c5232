"""The fair queue: turns between tenants, first come first served within one."""

from __future__ import annotations

from itertools import count

from hypothesis import given
from hypothesis import strategies as st

from pool.supervisor.queue import FairQueue, Request


def queue_of(tenants: str) -> FairQueue:
    """A queue with one request for each letter, numbered from 1; `-` stands for no tenant."""
    queue = FairQueue()
    for id_, letter in enumerate(tenants, start=1):
        queue.push(request(id_, None if letter == "-" else letter))
    return queue


def request(id_: int, tenant: str | None) -> Request:
    return Request(id_, tenant, memory_mib=256, asked_at=0.0, deadline=1.0)


def order(queue: FairQueue) -> list[int]:
    return [request.id for request in queue.in_turn()]


def test_requests_of_one_tenant_go_in_the_order_they_came() -> None:
    assert order(queue_of("aaa")) == [1, 2, 3]


def test_tenants_take_turns_however_many_requests_one_has() -> None:
    assert order(queue_of("aaaabc")) == [1, 5, 6, 2, 3, 4]


def test_requests_without_tenant_share_one_line() -> None:
    assert order(queue_of("----a")) == [1, 5, 2, 3, 4]


def test_a_tenant_that_was_served_goes_to_the_end() -> None:
    queue = queue_of("aab")

    queue.serve(request(1, "a"))

    assert order(queue) == [3, 2]


def test_a_tenant_that_comes_joins_at_the_end() -> None:
    queue = queue_of("aab")
    queue.serve(request(1, "a"))

    queue.push(request(4, "c"))

    assert order(queue) == [3, 2, 4]


def test_a_request_that_leaves_costs_its_tenant_no_turn() -> None:
    queue = queue_of("aab")

    queue.drop(request(1, "a"))

    assert order(queue) == [2, 3]


def test_the_length_is_what_is_in_it() -> None:
    queue = queue_of("aab")
    queue.serve(request(1, "a"))
    queue.drop(request(3, "b"))

    assert len(queue) == len(order(queue)) == 1


@given(st.data(), st.text("abc", max_size=8))
def test_nobody_is_passed_by_more_than_one_request_of_each_line_before_it(
    data: st.DataObject, before: str
) -> None:
    queue = queue_of(before)
    ids = count(len(before) + 1)
    queue.push(request(next(ids), "victim"))
    lines_before = len(set(before))

    passed = 0
    while (first := next(queue.in_turn())).tenant != "victim":
        queue.serve(first)
        passed += 1
        for tenant in data.draw(st.text("abcdefgh", max_size=4)):
            queue.push(request(next(ids), tenant))

    assert passed == lines_before
