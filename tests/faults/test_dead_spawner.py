"""A spawner that is killed: its runs say so, the pool starts another, other pools do not notice."""

from __future__ import annotations

import psutil
import pytest
from live_pools import Gate, Processes, wait_gone, watched_pool
from scenes import scene, until

from pool import Pool, Reason, TextItem
from pool.supervisor.facts import Why

pytestmark = pytest.mark.anyio

LOST = "the process that ran the program was lost"


async def kill_under_a_run(pool: Pool, processes: Processes) -> None:
    """Kill the pool's present spawner while a run is under way, and check what the run says."""
    gate = Gate()
    async with pool.start("text('a'); await tools.gate()", tools=[gate.tool]) as run:
        await gate.called.wait()
        [worker] = processes.workers()
        processes.spawner.kill()
        outcome = await run.outcome()

    assert (outcome.reason, outcome.error.message) == (Reason.UNAVAILABLE, LOST)
    assert outcome.output == (TextItem("a"),)
    await wait_gone(worker)


async def test_a_spawner_killed_again_and_again_costs_the_runs_of_its_workers_only():
    async with scene(), watched_pool() as (pool, processes):
        others = set(psutil.Process().children()) - {processes.spawner}
        for number in range(3):
            await kill_under_a_run(pool, processes)
            outcome = await pool.run(f"return {number}")
            assert outcome.value == number, outcome.error
            [spawner] = set(psutil.Process().children()) - others
            processes = Processes(spawner)


@pytest.mark.parametrize("spares", [0, 2])
async def test_a_spawner_killed_while_nothing_runs_goes_unnoticed(spares: int):
    async with scene(), watched_pool(spares=spares) as (pool, processes):
        assert (await pool.run("return 1", tenant="t")).value == 1
        await until(lambda: (pool.stats().idle, pool.stats().spare) == (1, spares))
        processes.spawner.kill()
        await until(lambda: pool.stats().retired.get(Why.DIED) == 1 + spares)

        assert (await pool.run("return 2", tenant="t")).value == 2


async def test_a_pool_whose_spawner_was_killed_can_be_closed():
    async with scene():
        async with watched_pool() as (_, processes):
            processes.spawner.kill()

        assert not processes.spawner.is_running()
