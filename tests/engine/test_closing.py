"""A pool before, while and after it closes."""

from __future__ import annotations

import anyio
import pytest
from live_pools import FOREVER, PATIENCE_S, Gate, warm_up, watched_pool

from pool import CallStatus, Limits, Outcome, Pool, PoolClosed, Reason, Tool, Unavailable

pytestmark = pytest.mark.anyio


async def test_a_pool_that_is_not_running_says_so():
    pool = Pool(size=1, spares=0)
    with pytest.raises(PoolClosed):
        await pool.run("return 1")
    async with pool:
        assert (await pool.run("return 1")).value == 1

    with pytest.raises(PoolClosed):
        await pool.run("return 1")
    with pytest.raises(PoolClosed):
        async with pool.start("return 1"):
            pass
    with pytest.raises(PoolClosed):
        pool.stats()


async def test_a_pool_cannot_be_entered_twice_at_once():
    async with Pool(size=1, spares=0) as pool:
        with pytest.raises(RuntimeError, match="already"):
            async with pool:
                pass

        assert (await pool.run("return 1")).value == 1


async def test_closing_leaves_no_process():
    async with watched_pool(size=2, spares=1) as (pool, processes):
        await pool.run("return 1", tenant="t")
        everything = [processes.spawner, *processes.workers()]

    assert [process for process in everything if process.is_running()] == []


async def test_an_error_of_the_body_goes_on_as_it_is():
    with pytest.raises(LookupError, match="mine"):
        async with Pool(size=1, spares=0):
            raise LookupError("mine")


async def test_a_pool_that_cannot_come_up_says_why(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.executable", str(tmp_path / "no-python"))

    with pytest.raises(Unavailable, match="spawner"):
        async with Pool(size=1, spares=0):
            pass


async def test_a_run_under_way_may_end_by_itself_while_the_pool_closes():
    gate = Gate()
    outcomes: list[Outcome] = []
    with anyio.fail_after(PATIENCE_S):
        async with anyio.create_task_group() as tasks:
            async with Pool(size=1, spares=0) as pool:
                tasks.start_soon(_keep_outcome, pool, "return tools.gate(1)", gate, outcomes)
                await gate.called.wait()
                tasks.start_soon(_open_when_closed, pool, gate)

    assert [outcome.value for outcome in outcomes] == [1]


async def _keep_outcome(pool: Pool, source: str, gate: Gate, outcomes: list[Outcome]) -> None:
    outcomes.append(await pool.run(source, tools=[gate.tool]))


async def _open_when_closed(pool: Pool, gate: Gate) -> None:
    while True:
        try:
            pool.stats()
        except PoolClosed:
            gate.opened.set()
            return
        await anyio.lowlevel.checkpoint()


async def test_a_run_that_waits_while_the_pool_closes_is_cancelled():
    gate = Gate()
    held: list[Outcome] = []
    waiting: list[Outcome] = []
    with anyio.fail_after(PATIENCE_S):
        async with anyio.create_task_group() as tasks:
            async with Pool(size=1, spares=0) as pool:
                tasks.start_soon(_keep_outcome, pool, "return tools.gate(1)", gate, held)
                await gate.called.wait()
                tasks.start_soon(_keep_outcome, pool, "return 2", gate, waiting)
                while not pool.stats().waiting:
                    await anyio.lowlevel.checkpoint()
                tasks.start_soon(_open_when_closed, pool, gate)

    assert held[0].value == 1
    assert waiting[0].reason is Reason.CANCELLED
    assert waiting[0].error.message == "the pool was closed"


@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_a_run_that_does_not_end_is_cancelled_when_the_pool_closes():
    gate = Gate()
    gate.opened.set()
    outcomes: list[Outcome] = []
    source = f"text('a'); await tools.gate(); {FOREVER}"
    with anyio.fail_after(PATIENCE_S):
        async with anyio.create_task_group() as tasks:
            async with Pool(size=1, spares=0) as pool:
                tasks.start_soon(_keep_outcome, pool, source, gate, outcomes)
                await gate.called.wait()

    assert outcomes[0].reason is Reason.CANCELLED
    assert outcomes[0].error.message == "the pool was closed"
    assert [item.text for item in outcomes[0].output] == ["a"]


async def test_cancelling_the_pools_own_scope_ends_everything():
    gate = Gate()
    with anyio.fail_after(PATIENCE_S):
        with anyio.CancelScope() as scope:
            async with watched_pool() as (pool, processes):
                source = "text('a'); await tools.gate()"
                async with pool.start(source, tools=[gate.tool]) as run:
                    await gate.called.wait()
                    everything = [processes.spawner, *processes.workers()]
                    scope.cancel()
                    await run.outcome()
        outcome = await run.outcome()

    assert scope.cancelled_caught
    assert [process for process in everything if process.is_running()] == []
    assert outcome.reason is Reason.CANCELLED
    assert [item.text for item in outcome.output] == ["a"]
    assert [call.status for call in outcome.calls] == [CallStatus.CANCELLED]


async def test_a_pool_may_be_closed_before_its_first_worker_is_up():
    for steps in range(0, 40, 4):
        with anyio.CancelScope() as scope:
            async with Pool(size=2, spares=2):
                for _ in range(steps):
                    await anyio.lowlevel.checkpoint()
                scope.cancel()


async def test_a_pool_may_be_cancelled_while_it_comes_up():
    for delay_s in (0, 0.001, 0.01, 0.05):
        with anyio.move_on_after(delay_s):
            async with Pool(size=1, spares=1):
                await anyio.sleep_forever()


async def test_tools_of_ended_runs_do_not_hold_the_pool_back():
    left = anyio.Event()

    async def hang(argument):
        try:
            await anyio.sleep_forever()
        finally:
            left.set()

    with anyio.fail_after(PATIENCE_S):
        async with Pool(size=1, spares=0) as pool:
            await warm_up(pool, "t")
            await pool.run(
                "await tools.hang()",
                tenant="t",
                tools=[Tool(name="hang", handler=hang)],
                limits=Limits(timeout_ms=500),
            )

    assert left.is_set()
