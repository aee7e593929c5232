"""Pauses between attempts: they grow, they end, and they spread."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pool.tools.sources.mcp import BackOff

FAILURES = st.integers(1, 10_000)
JITTER = st.floats(0, 1)


def test_pauses_double_up_to_the_longest():
    back_off = BackOff(first_s=0.5, longest_s=3)

    pauses = [back_off.pause_s(failures, jitter=1) for failures in range(1, 6)]

    assert pauses == [0.5, 1, 2, 3, 3]


@given(failures=FAILURES, jitter=JITTER)
def test_a_pause_is_never_nothing_and_never_longer_than_the_longest(failures, jitter):
    back_off = BackOff()

    assert back_off.first_s / 2 <= back_off.pause_s(failures, jitter=jitter) <= back_off.longest_s


@given(failures=FAILURES, jitter=JITTER)
def test_one_more_failure_never_shortens_the_pause(failures, jitter):
    back_off = BackOff()

    assert back_off.pause_s(failures, jitter=jitter) <= back_off.pause_s(
        failures + 1, jitter=jitter
    )


def test_only_a_connection_that_lasted_starts_the_count_again():
    back_off = BackOff(steady_s=30)

    assert back_off.failures_after(7, lasted_s=29.9) == 8
    assert back_off.failures_after(7, lasted_s=30) == 1
