"""Every other way a run ends: faults of the worker, its end, limits, time, cancellation."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import anyio
import anyio.lowlevel
import pytest
from scripted_worker import ScriptedWorker, scripted_worker
from session_run import Deaf, SessionRun, answered, on_a_clock_that_jumps, session_run
from wire import guest_frames as guest

from pool.errors import ProtocolFault
from pool.limits import MIB, Limits
from pool.program.outcome import CallStatus
from pool.wire.budgets import unpack
from pool.wire.messages import Kind
from pool.worker.calls import OPEN_BYTES
from pool.worker.channel import WRITE_STALL_S
from pool.worker.ending import Stop
from pool.worker.exit import EndKind

pytestmark = pytest.mark.anyio

OTHER_TAG = 5

FAULTS: dict[str, tuple[list[bytes], str]] = {
    "text of another run": ([guest.text("x", tag=OTHER_TAG)], "Text that does not belong"),
    "end of another run": (
        [guest.message(10, "exited", [], None, [], 0, 0, [], tag=5)],
        "End that does not",
    ),
    "hello": ([guest.hello()], "Hello that does not"),
    "ready": ([guest.ready()], "Ready that does not"),
    "call out of order": ([guest.call(1)], "CALL out of order"),
    "call twice": ([guest.call(0), guest.call(0)], "CALL out of order"),
    "call of a tool not offered": ([guest.call(0, "x" * 10_000)], "CALL of a tool that was not"),
    "call beyond the limit": ([guest.call(i) for i in range(4)], "CALL out of order or beyond"),
    "ask out of order": ([guest.ask(1)], "ASK out of order"),
    "ask twice": ([guest.ask(0), guest.ask(0)], "ASK out of order"),
    "idle too early": ([guest.idle(1)], "IDLE out of turn"),
    "idle twice": ([guest.idle(0), guest.idle(0)], "IDLE out of turn"),
    "store twice": ([guest.store(), guest.store()], "STORE twice"),
    "store too large": ([guest.store({"k": '"' + "x" * 262_144 + '"'})], "a stored value has more"),
    "store of no JSON": ([guest.store({"k": "undefined"})], "not JSON"),
    "store, then failure": ([guest.store(), guest.end("threw")], "STORE of a program that failed"),
    "end with lost output": ([guest.text("a"), guest.end()], "END counts other messages"),
    "end with output never sent": ([guest.end(items=1)], "END counts other messages"),
    "end with a call never made": ([guest.end(calls=1)], "END counts other messages"),
    "stray bytes": ([b"Uncaught Error: no\n"], "not the start of a message"),
    "a frame too long": (
        [guest.frame(b"\x93\xcf" + bytes(8) + b"\x08" + bytes(70_000))],
        "IDLE of",
    ),
}


@pytest.mark.parametrize(("frames", "detail"), FAULTS.values(), ids=list(FAULTS))
async def test_a_fault_of_the_worker_stops_the_run_and_the_worker(
    frames: list[bytes], detail: str
) -> None:
    async with session_run(limits=Limits(calls=3), on_call=lambda call: answered(1)) as run:
        worker = run.worker
        for data in frames:
            for at in range(0, len(data), 4096):
                worker.say(data[at : at + 4096])
                await anyio.lowlevel.checkpoint()
        ending = await run.ending()

    assert (ending.stop, ending.end, ending.store) == (Stop.PROTOCOL, None, None)
    assert detail in ending.detail
    assert ending.worker_end is EndKind.KILLED
    assert worker.killed == ["sigkill", "kill"]
    assert not ending.is_clean


async def test_output_behind_a_fault_is_not_believed() -> None:
    async with session_run() as run:
        run.worker.say(guest.text("before"), guest.idle(7), guest.text("behind"))
        ending = await run.ending()

    assert ending.stop is Stop.PROTOCOL
    assert run.texts == ["before"]


async def test_as_many_calls_as_the_limit_are_no_fault() -> None:
    async with session_run(limits=Limits(calls=3), on_call=lambda call: answered(1)) as run:
        run.worker.say(*(guest.call(index) for index in range(3)), guest.end(calls=3))

        assert (await run.ending()).is_clean


@pytest.mark.parametrize(
    ("limits", "frames"),
    [
        (Limits(output_chars=5), [guest.text("abc"), guest.console("def")]),
        (Limits(output_items=1), [guest.text("abc"), guest.text("")]),
        (Limits(output_chars=5), [guest.text("abc"), guest.end("completed", ["xyz"], items=1)]),
    ],
    ids=["characters", "items", "returned value"],
)
async def test_output_above_its_limit_stops_the_run_and_keeps_what_fitted(
    limits: Limits, frames: list[bytes]
) -> None:
    async with session_run(limits=limits) as run:
        run.worker.say(*frames)
        ending = await run.ending()

    assert (ending.stop, ending.end) == (Stop.OUTPUT_TOO_LARGE, None)
    assert run.texts == ["abc"]


# Empty lists are one byte each on the wire and 64 on the host.
ARGUMENTS = {"texts": ["x" * 10] * 20, "empty": [[] for _ in range(1000)], "text": "x" * 10_000}


@pytest.mark.parametrize("argument", ARGUMENTS.values(), ids=list(ARGUMENTS))
@pytest.mark.parametrize("in_flight", [1, 2000])
@pytest.mark.parametrize("make", [guest.call, guest.ask])
async def test_what_nobody_is_done_with_counts_as_the_memory_of_the_program(
    make: Callable[..., bytes], in_flight: int, argument: object
) -> None:
    name = "echo" if make is guest.call else "search"
    _, size_bytes = unpack(make(300, name, argument)[4:])
    fitting = MIB // (OPEN_BYTES + size_bytes + 2)
    limits = Limits(memory_mib=1, calls_in_flight=in_flight)
    async with session_run(limits=limits) as run:
        for index in range(fitting):
            run.worker.say(make(index, name, argument))
            await anyio.lowlevel.checkpoint()
        run.worker.say(guest.text("still there"))
        await run.until(lambda: run.output)
        assert not run.is_over

        run.worker.say(*(make(fitting + more, name, argument) for more in range(3)))
        ending = await run.ending()

    assert ending.stop is Stop.MEMORY


async def start_only(run: SessionRun) -> None:
    await run.started()


async def within_a_frame(run: SessionRun) -> None:
    run.worker.say(guest.text("lost")[:-1])


async def while_idle(run: SessionRun) -> None:
    run.worker.say(guest.idle(0))


async def with_an_open_call(run: SessionRun) -> None:
    run.worker.say(guest.call(0), guest.idle(0))
    await run.until(lambda: run.calls)


async def with_an_answer_on_its_way(run: SessionRun) -> None:
    run.worker.say(guest.call(0), guest.idle(0))
    await run.finish(0)
    await run.started()
    await run.worker.hear()


async def after_store(run: SessionRun) -> None:
    run.worker.say(guest.store({"k": "1"}))


STEPS = [
    start_only,
    within_a_frame,
    while_idle,
    with_an_open_call,
    with_an_answer_on_its_way,
    after_store,
]


@pytest.mark.parametrize("end", EndKind)
@pytest.mark.parametrize("step", STEPS)
async def test_a_worker_that_is_gone_ends_the_run_at_any_step(step: Any, end: EndKind) -> None:
    async with session_run() as run:
        run.worker.ends_as = end
        run.worker.say(guest.text("kept"))
        await step(run)
        run.worker.die()
        ending = await run.ending()

    assert (ending.stop, ending.worker_end, ending.end) == (Stop.GONE, end, None)
    assert ending.store is None
    assert run.texts == ["kept"]
    assert len(ending.calls) == len(run.calls)
    assert not ending.is_clean


async def test_a_worker_that_is_gone_before_start_ends_the_run() -> None:
    worker = ScriptedWorker()
    worker.say(guest.text("last words"))
    worker.close_input()
    async with session_run(worker) as run:
        ending = await run.ending()

    assert ending.stop is Stop.GONE
    assert run.texts == ["last words"]


async def test_a_worker_that_closes_its_input_alone_does_not_keep_the_run_waiting() -> None:
    async with session_run(on_call=lambda call: answered(1)) as run:
        await run.started()
        run.worker.close_input()
        run.worker.say(guest.call(0), guest.idle(0))
        ending = await run.ending()

    assert ending.stop is Stop.GONE


BIG = "x" * MIB


@on_a_clock_that_jumps()
async def test_a_worker_that_takes_no_input_does_not_keep_the_run_waiting() -> None:
    async with session_run(on_call=lambda call: partial(wait_and_answer)) as run:
        began_at = anyio.current_time()
        run.worker.say(guest.call(0), guest.idle(0))
        ending = await run.ending()

        assert ending.stop is Stop.GONE
        assert anyio.current_time() - began_at == pytest.approx(WRITE_STALL_S)


async def wait_and_answer() -> Any:
    await anyio.lowlevel.checkpoint()
    return answered(BIG)


async def test_an_end_that_comes_while_an_answer_is_being_sent_leaves_no_clean_worker() -> None:
    async with session_run(on_call=lambda call: partial(wait_and_answer)) as run:
        run.worker.say(guest.call(0), guest.idle(0))
        await run.until(lambda: run.ends)
        run.worker.say(guest.end(calls=1))
        ending = await run.ending()
        run.worker.die()

    assert ending.end is not None
    assert not ending.is_clean


async def test_a_large_answer_arrives_whole_while_output_is_read() -> None:
    async with session_run(on_call=lambda call: partial(wait_and_answer)) as run:
        await run.started()
        run.worker.say(guest.call(0), guest.idle(0))
        await run.until(lambda: run.ends)
        run.worker.say(guest.text("meanwhile"))
        await run.until(lambda: run.output)

        assert await run.worker.hear() == [guest.TAG, Kind.SETTLE, 0, True, BIG]


async def test_a_time_out_keeps_the_output_that_is_still_in_the_pipe() -> None:
    worker = ScriptedWorker()
    worker.last_words = guest.idle(9) + guest.text("b", tag=OTHER_TAG) + guest.text("c")
    async with session_run(worker, deadline=anyio.current_time()) as run:
        run.worker.say(guest.text("a"))
        ending = await run.ending()

    assert (ending.stop, ending.worker_end) == (Stop.TIMEOUT, EndKind.KILLED)
    assert run.texts == ["a", "c"]
    assert worker.killed == ["sigkill", "kill"]


async def test_output_in_the_pipe_counts_too_and_an_end_there_comes_too_late() -> None:
    worker = ScriptedWorker()
    worker.last_words = guest.end(items=2) + guest.text("bc") + guest.text("d") + guest.text("e")
    limits = Limits(output_chars=3)
    async with session_run(worker, deadline=anyio.current_time(), limits=limits) as run:
        run.worker.say(guest.text("a"))
        ending = await run.ending()

    assert (ending.stop, ending.end) == (Stop.TIMEOUT, None)
    assert run.texts == ["a", "bc"]


async def test_what_is_no_message_in_the_pipe_ends_the_drain() -> None:
    worker = ScriptedWorker()
    worker.last_words = guest.text("a") + b"fatal: " * 9 + guest.text("b")
    async with session_run(worker, deadline=anyio.current_time()) as run:
        await run.ending()

    assert run.texts == ["a"]


async def test_a_program_is_stopped_before_its_calls_are_settled() -> None:
    ended_before = []
    async with session_run(deadline=anyio.current_time() + 0.05) as run:
        run.worker.at_sigkill = lambda: ended_before.extend(run.ends)
        run.worker.say(guest.call(0))
        ending = await run.ending()

    assert ended_before == []
    assert [record.status for record in ending.calls] == [CallStatus.CANCELLED]


async def test_a_time_out_waits_for_no_tool() -> None:
    deaf = Deaf()
    deadline = anyio.current_time() + 0.05
    async with session_run(on_call=lambda call: deaf, deadline=deadline) as run:
        run.worker.say(guest.call(0, "deaf"))
        await deaf.at_work.wait()
        ending = await run.ending()
        deaf.gate.set()

    assert ending.stop is Stop.TIMEOUT
    assert ending.open_calls == {0: "deaf"}
    assert [record.status for record in ending.calls] == [CallStatus.CANCELLED]


@pytest.mark.parametrize("step", STEPS)
async def test_a_run_is_cancelled_at_any_step(step: Any) -> None:
    async with session_run() as run:
        await step(run)
        run.session.cancel()
        run.session.cancel()
        ending = await run.ending()

    assert (ending.stop, ending.end, ending.store) == (Stop.CANCELLED, None, None)
    assert len(ending.calls) == len(run.calls)
    assert len(run.ends) == len(run.calls)
    assert run.worker.killed == ["sigkill", "kill"]


async def test_a_run_is_cancelled_before_it_starts() -> None:
    with scripted_worker() as worker:
        async with anyio.create_task_group() as tasks:
            run = SessionRun(worker, tasks)
            run.session.cancel()
            await run.drive()

    assert (await run.ending()).stop is Stop.CANCELLED


async def test_cancelling_a_run_that_is_over_changes_nothing() -> None:
    async with session_run() as run:
        run.worker.say(guest.end())
        await run.ending()
        run.session.cancel()

        assert (await run.ending()).stop is None


async def test_a_run_is_cancelled_by_whoever_hears_its_output() -> None:
    async with session_run() as run:
        run.on_output = lambda _: run.session.cancel()
        run.worker.say(guest.text("a"), guest.idle(9))
        ending = await run.ending()

    assert ending.stop is Stop.CANCELLED
    assert run.texts == ["a"]


async def test_o2_output_that_whoever_hears_it_calls_a_fault_stops_the_run_and_the_worker() -> None:
    def hear(_: object) -> None:
        raise ProtocolFault("an image is not of the type it is said to be")

    async with session_run() as run:
        run.on_output = hear
        run.worker.say(guest.image(b"GIF89a", "image/png"), guest.end(items=1))
        ending = await run.ending()

    assert (ending.stop, ending.is_clean) == (Stop.PROTOCOL, False)
    assert ending.detail == "an image is not of the type it is said to be"


async def test_a_worker_that_goes_when_the_run_is_cancelled_leaves_it_cancelled() -> None:
    async with session_run() as run:
        await run.started()
        run.session.cancel()
        run.worker.die()
        run.worker.channel.close()

        assert (await run.ending()).stop is Stop.CANCELLED


@pytest.mark.parametrize("after", range(0, 30, 3))
async def test_a_caller_that_is_cancelled_leaves_no_call_without_an_end(after: int) -> None:
    with scripted_worker() as worker, anyio.fail_after(5):
        async with anyio.create_task_group() as tasks:
            run = SessionRun(worker, tasks, limits=Limits(calls_in_flight=2))
            worker.say(*(guest.call(index) for index in range(5)), guest.idle(0))
            with anyio.CancelScope() as scope:
                tasks.start_soon(cancel_later, scope, after)
                await run.drive()
            tasks.cancel_scope.cancel()

    assert scope.cancelled_caught
    assert sorted(end.index for end in run.ends) == list(range(5 if run.calls else 0))
    assert worker.killed == []


async def test_a_caller_that_is_cancelled_while_the_worker_is_put_down_gets_its_ending() -> None:
    async def die_slowly() -> None:
        await anyio.wait_all_tasks_blocked()
        worker.say(guest.text("last words"))
        worker.die()

    def cancel_the_caller() -> None:
        scope.cancel()
        tasks.start_soon(die_slowly)

    with scripted_worker() as worker, anyio.fail_after(5):
        worker.survives = True
        worker.at_sigkill = cancel_the_caller
        async with anyio.create_task_group() as tasks:
            run = SessionRun(worker, tasks, deadline=anyio.current_time())
            with anyio.CancelScope() as scope:
                await run.drive()

    assert (await run.ending()).stop is Stop.TIMEOUT
    assert run.texts == ["last words"]
    assert worker.killed == ["sigkill", "kill"]


async def cancel_later(scope: anyio.CancelScope, checkpoints: int) -> None:
    for _ in range(checkpoints):
        await anyio.lowlevel.checkpoint()
    scope.cancel()


ALLOCATION_FAILED = guest.error("RangeError", "Array buffer allocation failed")


@pytest.mark.parametrize(
    ("error", "share", "hit"),
    [
        (ALLOCATION_FAILED, 0.9, True),
        (ALLOCATION_FAILED, 0.1, False),
        (guest.error("RangeError", "Invalid array length"), 0.9, False),
        (guest.error("Error", "Array buffer allocation failed"), 0.9, False),
        (None, 0.9, False),
    ],
)
async def test_a_failed_allocation_is_memory_when_the_budget_was_in_use(
    error: dict[str, Any] | None, share: float, hit: bool
) -> None:
    async with session_run() as run:
        run.worker.uses_share = share
        run.worker.say(guest.end("threw" if error else "completed", (), error))

        assert (await run.ending()).hit_memory_limit is hit
