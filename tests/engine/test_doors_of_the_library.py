"""The library's doors: both event loops, and the blocking pool: spec C-1."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from pathlib import Path

import anyio
import pytest
from live_pools import PATIENCE_S

from pool import BlockingPool, Limits, Pool, PoolClosed, Tool, UsageError

SCRIPT = Path(__file__).with_name("blocking_script.py")


@pytest.mark.anyio
async def test_c1_a_pool_runs_programs_under_either_event_loop():
    async with Pool() as pool:
        outcome = await pool.run("return 1 + 1")

    assert outcome.value == 2


@pytest.mark.anyio
async def test_c1_runs_overlap_as_far_as_the_pool_is_wide():
    inside = 0
    both = anyio.Event()

    async def meet(argument):
        nonlocal inside
        inside += 1
        if inside == 2:
            both.set()
        await both.wait()

    tools = [Tool(name="meet", handler=meet)]
    with anyio.fail_after(PATIENCE_S):
        async with Pool(size=2, spares=0) as pool, anyio.create_task_group() as tasks:
            for _ in range(2):
                tasks.start_soon(_run, pool, "await tools.meet()", tools)

    assert inside == 2


async def _run(pool: Pool, source: str, tools) -> None:
    outcome = await pool.run(source, tools=tools)
    assert outcome.is_completed


@pytest.mark.anyio
async def test_c1_two_pools_live_beside_each_other():
    async with Pool(size=1, spares=0) as one, Pool(size=1, spares=0) as other:
        assert (await one.run("return 1")).value == 1
        assert (await other.run("return 2")).value == 2


def test_c1_the_blocking_pool_is_the_same_pool(shared_pool: BlockingPool):
    async def answer(argument):
        await anyio.lowlevel.checkpoint()
        return "from a coroutine"

    tools = [
        Tool(name="task", handler=answer),
        Tool(name="thread", handler=lambda argument: threading.current_thread().name),
    ]

    outcome = shared_pool.run("return [await tools.task(), await tools.thread()]", tools=tools)

    assert outcome.value[0] == "from a coroutine"
    assert outcome.value[1] != threading.current_thread().name


def test_c1_the_blocking_pool_serves_several_threads_at_once():
    both = threading.Barrier(2, timeout=PATIENCE_S)
    tools = [Tool(name="meet", handler=lambda argument: both.wait())]
    outcomes = []
    with BlockingPool(size=2, spares=0) as pool:
        threads = [
            threading.Thread(
                target=lambda: outcomes.append(pool.run("await tools.meet()", tools=tools))
            )
            for _ in range(2)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE_S)

    assert [outcome.is_completed for outcome in outcomes] == [True, True]


def test_c1_the_blocking_pool_passes_errors_of_the_request_on(shared_pool: BlockingPool):
    with pytest.raises(UsageError):
        shared_pool.run("return 1", limits=Limits(timeout_ms=900_000))


def test_c1_the_blocking_pool_passes_errors_of_its_body_on():
    pool = BlockingPool(size=1, spares=0)

    with pytest.raises(LookupError, match="mine"), pool:
        raise LookupError("mine")


def test_c1_a_blocking_pool_that_is_not_running_says_so():
    pool = BlockingPool(size=1, spares=0)
    with pytest.raises(PoolClosed):
        pool.run("return 1")
    with pool:
        assert pool.run("return 1").value == 1
    with pytest.raises(PoolClosed):
        pool.run("return 1")
    with pytest.raises(PoolClosed):
        pool.stats()


@pytest.mark.parametrize(
    ("mode", "code", "said"), [("plain", -signal.SIGINT, ""), ("interrupted", 0, '"after"\n')]
)
def test_c1_an_interrupt_cancels_the_run_of_a_script(mode, code, said):
    command = [sys.executable, str(SCRIPT), mode]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as script:
        assert script.stdout is not None
        assert script.stdout.readline().startswith("[")
        script.send_signal(signal.SIGINT)
        try:
            output, errors = script.communicate(timeout=PATIENCE_S)
        finally:
            script.kill()

    assert output == said
    assert (script.returncode == 0) == (code == 0), errors
    assert ("KeyboardInterrupt" in errors) == (mode == "plain")


@pytest.mark.anyio
async def test_c1_the_blocking_pool_can_be_used_beside_an_event_loop_of_the_callers():
    def work() -> object:
        with BlockingPool(size=1, spares=0) as pool:
            return pool.run("return 1").value

    assert await anyio.to_thread.run_sync(work) == 1


@pytest.mark.anyio
async def test_c1_a_run_needs_none_of_the_applications_threads():
    threads = anyio.to_thread.current_default_thread_limiter().total_tokens
    values: list[object] = []

    def wait_for_a_run() -> None:
        long_source = "return 1;" + " " * 100_000
        values.append(anyio.from_thread.run(_value, pool, long_source))

    with anyio.fail_after(PATIENCE_S):
        async with Pool(size=1, spares=0) as pool, anyio.create_task_group() as tasks:
            for _ in range(int(threads)):
                tasks.start_soon(anyio.to_thread.run_sync, wait_for_a_run)

    assert values == [1] * int(threads)


async def _value(pool: Pool, source: str) -> object:
    outcome = await pool.run(source, tenant="t")
    return outcome.value
