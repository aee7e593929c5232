"""Failed boots: how often, how long until the next."""

from __future__ import annotations

import pytest

from pool.supervisor.backoff import BackOff


def failing(times: int) -> BackOff:
    boots = BackOff()
    for second in range(times):
        boots = boots.failed(began_at=second + 0.5, now=float(second + 1), reason="no memory")
    return boots


@pytest.mark.parametrize(
    ("failures", "pause_s"),
    [(1, 0.1), (2, 0.2), (3, 0.4), (6, 3.2), (7, 5.0), (1000, 5.0)],
)
def test_the_pause_doubles_up_to_the_longest(failures: int, pause_s: float) -> None:
    boots = failing(failures)

    assert boots.retry_at(first_s=0.1, longest_s=5.0) == pytest.approx(failures + pause_s)


def test_boots_are_due_at_once_when_none_failed() -> None:
    assert BackOff().retry_at(first_s=0.1, longest_s=5.0) < 0


def test_boots_that_fail_together_count_once() -> None:
    boots = BackOff().failed(began_at=0.0, now=1.0, reason="first")

    boots = boots.failed(began_at=0.0, now=1.1, reason="second")

    assert (boots.failures, boots.failed_at, boots.reason) == (1, 1.0, "second")


def test_one_that_began_after_the_last_failure_counts() -> None:
    boots = BackOff().failed(began_at=0.0, now=1.0, reason="first")

    boots = boots.failed(began_at=1.1, now=2.0, reason="second")

    assert (boots.failures, boots.failed_at) == (2, 2.0)


def test_a_success_forgets_all_failures() -> None:
    assert failing(3).succeeded() == BackOff()
