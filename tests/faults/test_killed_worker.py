"""A worker that is killed at any step of a run: the run says so, and nobody else notices."""

from __future__ import annotations

import struct
from collections.abc import Awaitable, Callable

import anyio
import psutil
import pytest
from anyio import wait_all_tasks_blocked
from live_pools import FOREVER, wait_gone
from scenes import VICTIM, Scene, scene, until, write_into

from pool import Outcome, Reason, TextItem, Tool

pytestmark = pytest.mark.anyio

# The beginning of an END that announces more than follows.
HALF_AN_END = struct.pack(">IBBQB", 200, 0x98, 0xCF, 1, 10) + b"\xa9compl"

Step = Callable[[Scene, psutil.Process], Awaitable[Outcome]]


async def before_it_takes_the_start(scene: Scene, worker: psutil.Process) -> Outcome:
    worker.suspend()
    async with scene.pool.start("text('never')", tenant=VICTIM) as run:
        await wait_all_tasks_blocked()
        worker.kill()
        return await run.outcome()


async def while_it_computes(scene: Scene, worker: psutil.Process) -> Outcome:
    async with scene.pool.start(f"text('a'); {FOREVER}", tenant=VICTIM) as run:
        await run.event(0)
        worker.kill()
        return await run.outcome()


async def while_its_call_is_carried_out(scene: Scene, worker: psutil.Process) -> Outcome:
    tool = Tool(name="kill", handler=lambda argument: worker.kill(), inline=True)
    return await scene.run("text('a'); await tools.kill()", tools=[tool])


async def while_its_call_waits(scene: Scene, worker: psutil.Process) -> Outcome:
    async def kill(argument):
        worker.kill()
        await anyio.sleep_forever()

    return await scene.run("text('a'); await tools.kill()", tools=[Tool(name="kill", handler=kill)])


async def while_many_calls_wait(scene: Scene, worker: psutil.Process) -> Outcome:
    async def kill(argument):
        if argument == 63:
            worker.kill()
        await anyio.sleep_forever()

    source = "text('a'); await Promise.all(Array.from({length: 99}, (_, i) => tools.kill(i)))"
    return await scene.run(source, tools=[Tool(name="kill", handler=kill)])


async def between_an_answer_and_its_idle(scene: Scene, worker: psutil.Process) -> Outcome:
    source = f"await tools.quick(); text('a'); {FOREVER}"
    quick = Tool(name="quick", handler=lambda argument: None, inline=True)
    async with scene.pool.start(source, tools=[quick], tenant=VICTIM) as run:
        async for event in run:
            if event == TextItem("a"):
                worker.kill()
        return await run.outcome()


async def while_its_end_is_half_written(scene: Scene, worker: psutil.Process) -> Outcome:
    def half(argument):
        write_into(worker, 1, HALF_AN_END)
        worker.kill()

    tool = Tool(name="half", handler=half, inline=True)
    return await scene.run("text('a'); await tools.half()", tools=[tool])


# What the run has shown by then, by step.
STEPS: dict[Step, list[str]] = {
    before_it_takes_the_start: [],
    while_it_computes: ["a"],
    while_its_call_is_carried_out: ["a"],
    while_its_call_waits: ["a"],
    while_many_calls_wait: ["a"],
    between_an_answer_and_its_idle: ["a"],
    while_its_end_is_half_written: ["a"],
}


async def test_a_run_whose_worker_is_killed_says_so_at_every_step():
    async with scene() as stage:
        for step, shown in STEPS.items():
            outcome = await step(stage, await stage.ready_worker())

            assert outcome.reason is Reason.UNAVAILABLE, step
            assert outcome.error.message == "the process that ran the program was killed", step
            assert [item.text for item in outcome.output] == shown, step
            assert not outcome.store.set, step


async def test_a_worker_killed_after_its_end_costs_its_run_nothing():
    async with scene() as stage:
        worker = await stage.ready_worker()
        outcome = await stage.run("store('k', 1); return 2")
        worker.kill()
        await wait_gone(worker)

        assert (outcome.value, outcome.store.set) == (2, {"k": 1})
        assert (await stage.run("return 3")).value == 3


async def test_a_worker_killed_while_it_idles_is_replaced():
    async with scene() as stage:
        worker = await stage.ready_worker()
        worker.kill()
        await wait_gone(worker)

        assert (await stage.run("return 3")).value == 3
        assert stage.victim() != worker


async def test_the_calls_of_a_killed_worker_are_named():
    async with scene() as stage:
        outcome = await while_its_call_waits(stage, await stage.ready_worker())

        assert [str(call.status) for call in outcome.calls] == ["cancelled"]
        assert outcome.notes == ("Cancelled when the program's process ended: kill.",)


async def test_control_a_worker_that_nobody_kills_completes():
    async with scene() as stage:
        worker = await stage.ready_worker()
        tool = Tool(name="kill", handler=lambda argument: worker.pid, inline=True)
        outcome = await stage.run("text('a'); return await tools.kill()", tools=[tool])

        assert outcome.value == worker.pid
        await until(lambda: stage.pool.stats().idle == 1)
