"""Counters, gauges and histograms."""

from __future__ import annotations

import dataclasses

import pytest

from pool.supervisor.facts import Refusal, State, Why
from pool.supervisor.stats import BOOT_BOUNDS_S, WAIT_BOUNDS_S, Load, Stats, Tally


def frozen(tally: Tally, *states: State) -> Stats:
    return tally.freeze(states=states, waiting=0, load=Load())


def test_every_label_is_there_before_anything_happened() -> None:
    stats = frozen(Tally())

    assert set(stats.workers) == set(State)
    assert set(stats.retired) == set(Why)
    assert set(stats.refused) == set(Refusal)
    assert stats.wait_s.count == stats.boot_s.count == 0


def test_gauges_count_workers_by_state() -> None:
    stats = frozen(Tally(), State.BUSY, State.BUSY, State.IDLE, State.SPARE, State.BOOTING)

    assert (stats.busy, stats.idle, stats.spare, stats.booting) == (2, 1, 1, 1)


def test_runs_are_counted_with_their_wait_and_whether_they_reused_a_worker() -> None:
    tally = Tally()
    tally.began(waited_s=0.002, is_reuse=False)
    tally.began(waited_s=0.003, is_reuse=True)

    stats = frozen(tally)
    assert (stats.runs, stats.reuses) == (2, 1)
    assert stats.wait_s.sum_s == pytest.approx(0.005)


@pytest.mark.parametrize(
    ("seconds", "bucket"),
    [(0.0, 0), (0.0001, 0), (0.00011, 1), (120.0, len(WAIT_BOUNDS_S) - 1), (121.0, -1)],
)
def test_a_bound_belongs_to_the_bucket_below_it(seconds: float, bucket: int) -> None:
    tally = Tally()
    tally.began(waited_s=seconds, is_reuse=False)

    counts = frozen(tally).wait_s.counts
    assert counts[bucket] == sum(counts) == 1


@pytest.mark.parametrize("bounds", [WAIT_BOUNDS_S, BOOT_BOUNDS_S])
def test_bounds_rise(bounds: tuple[float, ...]) -> None:
    assert list(bounds) == sorted(set(bounds))


def test_a_picture_does_not_change_when_the_fleet_goes_on() -> None:
    tally = Tally()
    stats = frozen(tally)
    tally.booted(0.03)
    tally.retired[Why.AGE] += 1

    assert (stats.boots, stats.boot_s.count, stats.retired[Why.AGE]) == (0, 0, 0)
    assert frozen(tally).boots == 1
    with pytest.raises(dataclasses.FrozenInstanceError):
        stats.runs = 1  # type: ignore[misc]
