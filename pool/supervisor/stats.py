"""What a fleet did and what it is doing: counters, gauges, histograms.

`Tally` counts while the fleet works; `Stats` is the frozen picture of one moment. Labels come from
closed sets, so that a metrics backend never sees a name that was not written here or in
`facts`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from pool.supervisor.facts import Refusal, State, Why

# From an idle worker (microseconds) over a boot (tens of milliseconds) to a queue of minutes.
WAIT_BOUNDS_S: Final = (0.0001, 0.001, 0.005, 0.02, 0.05, 0.1, 0.5, 1.0, 5.0, 30.0, 120.0)

# Around the usual 30 ms, up to where a boot is given up.
BOOT_BOUNDS_S: Final = (0.02, 0.03, 0.04, 0.06, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)


@dataclass(frozen=True, slots=True)
class Histogram:
    """Seconds by bucket.

    Attributes:
        bounds: Upper bounds of the buckets, inclusive; the last bucket has none.
        counts: One more than there are bounds.
        sum_s: All observed seconds together.
    """

    bounds: tuple[float, ...]
    counts: tuple[int, ...]
    sum_s: float

    @property
    def count(self) -> int:
        return sum(self.counts)


@dataclass(frozen=True, slots=True)
class Load:
    """What processes use at one moment.

    Attributes:
        rss_bytes: Resident memory.
        cpu_s: CPU seconds since they started.
        threads: Threads of theirs.
    """

    rss_bytes: int = 0
    cpu_s: float = 0.0
    threads: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """A fleet at one moment. Counters never fall while the fleet lives.

    Attributes:
        workers: Workers by state; every state is there.
        waiting: Requests without a worker.
        runs: Leases that began.
        reuses: Those of them that got a worker which had served before.
        boots: Workers that came up.
        boot_failures: Attempts that failed.
        retired: Workers that ended, by reason; every reason is there.
        refused: Requests that got no worker, by reason; every reason is there.
        late_results: What tools gave after the end of their call; it was dropped.
        wait_s: Seconds from request to worker, of the runs.
        boot_s: Seconds from the start of a boot to READY, of the boots.
    """

    workers: dict[State, int]
    waiting: int
    runs: int
    reuses: int
    boots: int
    boot_failures: int
    retired: dict[Why, int]
    refused: dict[Refusal, int]
    late_results: int
    wait_s: Histogram
    boot_s: Histogram
    load: Load

    @property
    def busy(self) -> int:
        return self.workers[State.BUSY]

    @property
    def idle(self) -> int:
        return self.workers[State.IDLE]

    @property
    def spare(self) -> int:
        return self.workers[State.SPARE]

    @property
    def booting(self) -> int:
        return self.workers[State.BOOTING]


class _Buckets:
    """A histogram that is still being filled."""

    __slots__ = ("_bounds", "_counts", "_sum_s")

    def __init__(self, bounds: tuple[float, ...]) -> None:
        self._bounds = bounds
        self._counts = [0] * (len(bounds) + 1)
        self._sum_s = 0.0

    def observe(self, seconds: float) -> None:
        self._counts[bisect_left(self._bounds, seconds)] += 1
        self._sum_s += seconds

    def freeze(self) -> Histogram:
        return Histogram(self._bounds, tuple(self._counts), self._sum_s)


@dataclass(slots=True)
class Tally:
    """Counts what happens, for one fleet."""

    runs: int = 0
    reuses: int = 0
    boots: int = 0
    boot_failures: int = 0
    retired: Counter[Why] = field(default_factory=Counter)
    refused: Counter[Refusal] = field(default_factory=Counter)
    late_results: int = 0
    _wait_s: _Buckets = field(default_factory=lambda: _Buckets(WAIT_BOUNDS_S))
    _boot_s: _Buckets = field(default_factory=lambda: _Buckets(BOOT_BOUNDS_S))

    def began(self, *, waited_s: float, is_reuse: bool) -> None:
        """A run got its worker."""
        self.runs += 1
        self.reuses += is_reuse
        self._wait_s.observe(waited_s)

    def booted(self, seconds: float) -> None:
        """A worker came up."""
        self.boots += 1
        self._boot_s.observe(seconds)

    def freeze(self, *, states: Iterable[State], waiting: int, load: Load) -> Stats:
        """The picture of this moment."""
        by_state = Counter(states)
        return Stats(
            workers={state: by_state[state] for state in State},
            waiting=waiting,
            runs=self.runs,
            reuses=self.reuses,
            boots=self.boots,
            boot_failures=self.boot_failures,
            retired={why: self.retired[why] for why in Why},
            refused={why: self.refused[why] for why in Refusal},
            late_results=self.late_results,
            wait_s=self._wait_s.freeze(),
            boot_s=self._boot_s.freeze(),
            load=load,
        )
