"""The memory of busy workers, measured by scripted probes and, once, by the real one."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any, cast

import anyio
import psutil
import pytest
from fleets import Caller, fleet_of, rest
from scripted import Boots, ScriptedWorker

from pool.limits import MIB
from pool.supervisor.facts import Condition, Why
from pool.supervisor.lease import Lease
from pool.supervisor.stats import Load
from pool.supervisor.watchdog import SLACK_BYTES, ProcessProbe, Watchdog


@dataclass
class Scale:
    """Makes probes that show what a test put on the scale for a process."""

    rss_bytes: dict[int, int] = field(default_factory=dict)
    probed: list[int] = field(default_factory=list)

    def __call__(self, pid: int) -> ScaleProbe:
        self.probed.append(pid)
        return ScaleProbe(self, pid)


@dataclass
class ScaleProbe:
    scale: Scale
    pid: int

    def rss_bytes(self) -> int | None:
        return self.scale.rss_bytes.get(self.pid)

    def load(self) -> Load | None:
        rss_bytes = self.rss_bytes()
        return None if rss_bytes is None else Load(rss_bytes, cpu_s=0.5, threads=3)


def lease_of(pid: int) -> Lease:
    worker = cast("Any", ScriptedWorker(pid))
    return Lease(worker, memory_mib=100, baseline_rss_bytes=40 * MIB)


LIMIT_BYTES = 140 * MIB + SLACK_BYTES


@pytest.mark.parametrize(("excess_bytes", "killed_for"), [(0, None), (1, "memory")])
def test_a_worker_is_killed_above_baseline_budget_and_slack(
    excess_bytes: int, killed_for: str | None
) -> None:
    scale, lease = Scale({7: LIMIT_BYTES + excess_bytes}), lease_of(7)
    watchdog = Watchdog(scale)
    watchdog.watch(lease)

    watchdog.look()

    assert lease.killed_for == killed_for
    assert lease.worker.is_alive is (killed_for is None)


def test_only_the_worker_above_its_limit_is_killed() -> None:
    leases = [lease_of(7), lease_of(8)]
    watchdog = Watchdog(Scale({7: LIMIT_BYTES, 8: LIMIT_BYTES + 1}))
    for lease in leases:
        watchdog.watch(lease)

    watchdog.look()

    assert [lease.killed_for for lease in leases] == [None, "memory"]


def test_a_process_that_cannot_be_measured_is_left_alone() -> None:
    lease = lease_of(7)
    watchdog = Watchdog(Scale())
    watchdog.watch(lease)

    watchdog.look()

    assert lease.killed_for is None
    assert watchdog.load() == Load()


def test_a_lease_that_is_over_is_not_watched() -> None:
    lease = lease_of(7)
    watchdog = Watchdog(Scale({7: LIMIT_BYTES + 1}))
    watchdog.watch(lease)
    watchdog.forget(lease)

    watchdog.look()

    assert lease.killed_for is None


def test_load_is_the_sum_over_busy_workers() -> None:
    watchdog = Watchdog(Scale({7: 10, 8: 20}))
    watchdog.watch(lease_of(7))
    watchdog.watch(lease_of(8))

    assert watchdog.load() == Load(rss_bytes=30, cpu_s=1.0, threads=6)


@pytest.mark.anyio
async def test_a_fleet_charges_its_watchdogs_kill_to_memory(tasks: anyio.abc.TaskGroup) -> None:
    scale, boots = Scale(), Boots()
    watchdog = Watchdog(scale, interval_s=0)
    async with fleet_of(boots, spares=1, watchdog=watchdog) as fleet:
        await rest()
        caller = Caller(fleet, "a", "a", [], condition=Condition.CLEAN)
        tasks.start_soon(caller)
        scale.rss_bytes[boots.workers[0].pid] = 1024 * MIB
        with anyio.fail_after(5):
            await boots.workers[0].wait_dead()
        caller.done.set()
        with anyio.fail_after(5):
            while not caller.has_ended:
                await anyio.lowlevel.checkpoint()

        assert caller.lease is not None
        assert caller.lease.killed_for == "memory"
        assert fleet.stats().retired[Why.MEMORY] == 1


@pytest.mark.anyio
async def test_the_watchdog_sleeps_while_nothing_is_busy(tasks: anyio.abc.TaskGroup) -> None:
    scale = Scale()
    watchdog = Watchdog(scale, interval_s=0)
    tasks.start_soon(watchdog.run)
    with anyio.fail_after(5):
        await rest()
        lease = lease_of(7)
        watchdog.watch(lease)
        while not scale.probed:
            await anyio.lowlevel.checkpoint()
        watchdog.forget(lease)
        # Returns only while no task can go on; one that kept looking always could.
        await anyio.wait_all_tasks_blocked()


def test_the_real_probe_measures_a_real_process() -> None:
    probe = ProcessProbe(os.getpid())
    load = probe.load()

    assert load is not None
    assert load.threads >= 1
    assert load.cpu_s > 0
    assert (probe.rss_bytes() or 0) > MIB


def test_the_real_probe_of_a_process_that_is_gone_measures_nothing() -> None:
    process = psutil.Popen(["true"])
    probe = ProcessProbe(process.pid)
    process.wait()

    assert (probe.rss_bytes(), probe.load()) == (None, None)
    assert ProcessProbe(process.pid).rss_bytes() is None
