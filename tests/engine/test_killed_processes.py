"""Processes that somebody kills: a worker, the spawner, the host."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import anyio
import pytest
from live_pools import FOREVER, PATIENCE_S, Gate, wait_gone, watched_pool

from pool import Limits, Reason

pytestmark = pytest.mark.anyio

HOST = Path(__file__).with_name("running_host.py")

# The issue's own figure; it takes 10 ms.
GONE_S = 2.0


async def test_a_worker_killed_under_its_run_gives_a_named_outcome_and_the_pool_goes_on():
    gate = Gate()
    with anyio.fail_after(PATIENCE_S):
        async with (
            watched_pool() as (pool, processes),
            pool.start("text('a'); await tools.gate()", tools=[gate.tool], tenant="t") as run,
        ):
            await gate.called.wait()
            processes.only_worker().kill()
            outcome = await run.outcome()

            assert outcome.reason is Reason.UNAVAILABLE
            assert outcome.error.message == "the process that ran the program was killed"
            assert [item.text for item in outcome.output] == ["a"]
            assert [str(call.status) for call in outcome.calls] == ["cancelled"]
            assert (await pool.run("return 1", tenant="t")).value == 1


async def test_a_worker_killed_while_it_computes_is_noticed_as_soon():
    gate = Gate()
    gate.opened.set()
    with anyio.fail_after(PATIENCE_S):
        async with (
            watched_pool() as (pool, processes),
            pool.start(f"await tools.gate(); {FOREVER}", tools=[gate.tool]) as run,
        ):
            await gate.called.wait()
            processes.only_worker().kill()

            assert (await run.outcome()).reason is Reason.UNAVAILABLE


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGABRT])
async def test_a_worker_that_another_signal_ends_is_no_mystery(sent):
    gate = Gate()
    with anyio.fail_after(PATIENCE_S):
        async with (
            watched_pool() as (pool, processes),
            pool.start("await tools.gate()", tools=[gate.tool]) as run,
        ):
            await gate.called.wait()
            processes.only_worker().send_signal(sent)
            outcome = await run.outcome()

            assert not outcome.is_completed
            assert outcome.error.name in {"WorkerCrashed", "Memory", "Unavailable"}
            assert (await pool.run("return 1")).value == 1


async def test_an_idle_worker_that_was_killed_is_replaced():
    with anyio.fail_after(PATIENCE_S):
        async with watched_pool() as (pool, processes):
            await pool.run("return 1", tenant="t")
            worker = processes.only_worker()
            worker.kill()
            await wait_gone(worker)

            assert (await pool.run("return 1", tenant="t")).value == 1


@pytest.mark.parametrize("spares", [0, 1])
async def test_when_the_spawner_is_killed_its_runs_say_so_and_the_next_ones_get_another(spares):
    gate = Gate()
    with anyio.fail_after(PATIENCE_S):
        async with watched_pool(spares=spares) as (pool, processes):
            async with pool.start("await tools.gate()", tools=[gate.tool]) as run:
                await gate.called.wait()
                processes.spawner.kill()
                outcome = await run.outcome()
            later = await pool.run("return 1", limits=Limits(timeout_ms=10_000))

            assert outcome.reason is Reason.UNAVAILABLE
            assert outcome.error.message == "the process that ran the program was lost"
            assert later.value == 1
            assert not processes.spawner.is_running()


def ended_within(pids: list[int], seconds: float) -> bool:
    """Whether processes that are no children of this one end in time."""
    poll = select.poll()
    open_fds = {}
    for pid in pids:
        try:
            fd = os.pidfd_open(pid)
        except ProcessLookupError:
            continue
        open_fds[fd] = pid
        poll.register(fd, select.POLLIN)
    try:
        while open_fds:
            ready = poll.poll(seconds * 1000)
            if not ready:
                return False
            for fd, _ in ready:
                poll.unregister(fd)
                os.close(fd)
                del open_fds[fd]
        return True
    finally:
        for fd in open_fds:
            os.close(fd)


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_kill_9_of_the_host_leaves_no_deno_behind(backend):
    with subprocess.Popen(
        [sys.executable, str(HOST), backend], stdout=subprocess.PIPE, text=True
    ) as host:
        assert host.stdout is not None
        processes = json.loads(host.stdout.readline())
        pids = [int(pid) for pid in processes]
        host.kill()

    assert "deno" in processes.values()
    assert ended_within(pids, GONE_S)
