"""Looks at the memory of busy workers and kills the one that has too much.

The kernel holds workers to their budget where it can (RLIMIT_DATA); this is the net below that,
and the only one elsewhere. One task for the whole fleet, asleep while nothing is busy.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Final, NoReturn, Protocol

import anyio
import psutil

from pool.limits import MIB
from pool.supervisor.lease import Lease
from pool.supervisor.stats import Load

# A program that fills memory as fast as it can gets about 100 MiB further in this time; a look
# costs 15 µs for each busy worker.
INTERVAL_S: Final = 0.05

# Resident memory above baseline and budget that is still in order: the kernel's limit leaves 32 MiB
# and comes first where it exists, and code pages that were never touched before count too.
SLACK_BYTES: Final = 64 * MIB


class Probe(Protocol):
    """Measures one process. A process that is gone, or not ours to see, measures as None."""

    def rss_bytes(self) -> int | None: ...

    def load(self) -> Load | None: ...


class ProcessProbe:
    """Measures with psutil."""

    __slots__ = ("_process",)

    def __init__(self, pid: int) -> None:
        self._process: psutil.Process | None = None
        with suppress(psutil.Error):
            self._process = psutil.Process(pid)

    def rss_bytes(self) -> int | None:
        if self._process is None:
            return None
        try:
            return self._process.memory_info().rss
        except psutil.Error:
            return None

    def load(self) -> Load | None:
        if self._process is None:
            return None
        try:
            with self._process.oneshot():
                cpu = self._process.cpu_times()
                return Load(
                    rss_bytes=self._process.memory_info().rss,
                    cpu_s=cpu.user + cpu.system,
                    threads=self._process.num_threads(),
                )
        except psutil.Error:
            return None


class Watchdog:
    """Watches the leases it is given.

    Args:
        probe: Makes the probe of a process by its id.
        interval_s: Seconds between two looks.
    """

    __slots__ = ("_interval_s", "_leases", "_make_probe", "_wake")

    def __init__(
        self, probe: Callable[[int], Probe] = ProcessProbe, *, interval_s: float = INTERVAL_S
    ) -> None:
        self._make_probe = probe
        self._interval_s = interval_s
        self._leases: dict[Lease, Probe | None] = {}
        self._wake: anyio.Event | None = None

    def watch(self, lease: Lease) -> None:
        # Most runs are over before anybody looks: the probe, 20 µs, is made at the first look.
        self._leases[lease] = None
        if self._wake is not None:
            self._wake.set()
            self._wake = None

    def forget(self, lease: Lease) -> None:
        self._leases.pop(lease, None)

    async def run(self) -> NoReturn:
        """Look every interval while something is busy. Ends by cancellation only."""
        while True:
            if not self._leases:
                self._wake = anyio.Event()
                await self._wake.wait()
            await anyio.sleep(self._interval_s)
            self.look()

    def look(self) -> None:
        """Measure every busy worker once and kill those above their limit."""
        for lease in self._leases:
            rss_bytes = self._probe(lease).rss_bytes()
            if rss_bytes is not None and rss_bytes > _limit_bytes(lease):
                lease.kill("memory")

    def load(self) -> Load:
        """What the busy workers use now, together; 60 µs for each of them."""
        loads = [self._probe(lease).load() or Load() for lease in self._leases]
        return Load(
            rss_bytes=sum(load.rss_bytes for load in loads),
            cpu_s=sum(load.cpu_s for load in loads),
            threads=sum(load.threads for load in loads),
        )

    def _probe(self, lease: Lease) -> Probe:
        probe = self._leases[lease]
        if probe is None:
            probe = self._leases[lease] = self._make_probe(lease.worker.pid)
        return probe


def _limit_bytes(lease: Lease) -> int:
    return lease.baseline_rss_bytes + lease.memory_mib * MIB + SLACK_BYTES
