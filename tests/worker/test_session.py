"""A run over the wire, as long as both sides behave: calls, questions, output, end."""

from __future__ import annotations

import logging
import subprocess
import sys
from typing import Any

import anyio
import anyio.lowlevel
import pytest
from scripted_worker import ScriptedWorker
from session_run import Deaf, answered, on_a_clock_that_jumps, session_run
from wire import guest_frames as guest

from pool.limits import Limits
from pool.program.outcome import CallStatus
from pool.wire.messages import Console, How, Image, Kind, Level, Settled, Store, Text
from pool.worker.calls import HOST_FAULT
from pool.worker.ending import Stop

pytestmark = pytest.mark.anyio

TAG = guest.TAG


async def test_a_program_starts_puts_things_out_and_ends() -> None:
    async with session_run() as run:
        await run.started()
        run.worker.say(
            guest.text("a"),
            guest.console("b", "warn"),
            guest.image(b"GIF89a", "image/gif"),
            guest.end("completed", [5], items=3),
        )
        ending = await run.ending()

    assert run.output == [
        Text(TAG, "a"),
        Console(TAG, Level.WARN, "b"),
        Image(TAG, "image/gif", b"GIF89a"),
    ]
    assert (ending.end.value, ending.stop, ending.worker_end) == ((5,), None, None)
    assert ending.is_clean
    assert ending.peak_rss_bytes == 7
    assert ending.active_s >= 0
    assert run.worker.killed == []


@pytest.mark.parametrize(
    ("how", "is_clean"),
    [
        (How.COMPLETED, True),
        (How.EXITED, True),
        (How.THREW, False),
        (How.REFUSED, False),
        (How.STALLED, False),
        (How.TOO_LARGE, False),
    ],
)
async def test_a_worker_is_clean_only_after_a_program_that_succeeded(
    how: How, is_clean: bool
) -> None:
    async with session_run() as run:
        run.worker.say(guest.end(how, (), None if is_clean else guest.error()))
        ending = await run.ending()

    assert ending.end.how is how
    assert ending.is_clean is is_clean
    assert run.worker.killed == []


async def test_calls_are_settled_one_for_each_idle_in_the_order_they_returned() -> None:
    async with session_run() as run:
        await run.started()
        run.worker.say(guest.call(0, "a", {"x": 1}), guest.call(1, "b"), guest.call(2, "c"))
        for index in (2, 0, 1):
            await run.finish(index)
            await run.until(lambda: len(run.ends) == 1 + [2, 0, 1].index(index))  # noqa: B023
        assert run.worker.hears_nothing()

        for delivered, index in enumerate((2, 0, 1)):
            run.worker.say(guest.idle(delivered))
            assert await run.worker.hear() == [TAG, Kind.SETTLE, index, True, f"result {index}"]
            assert run.worker.hears_nothing()
        run.worker.say(guest.end(calls=3))
        ending = await run.ending()

    assert [(call.name, call.argument) for call in run.calls] == [
        ("a", {"x": 1}),
        ("b", {}),
        ("c", {}),
    ]
    assert [record.status for record in ending.calls] == [CallStatus.OK] * 3
    assert ending.open_calls == {}


async def test_a_call_that_returns_while_the_worker_is_idle_is_settled_then() -> None:
    async with session_run() as run:
        await run.started()
        run.worker.say(guest.call(0), guest.idle(0))
        await run.until(lambda: run.calls)
        assert run.worker.hears_nothing()

        await run.finish(0)

        assert await run.worker.hear() == [TAG, Kind.SETTLE, 0, True, "result 0"]


async def test_a_call_answered_at_once_still_waits_for_the_worker_to_be_idle() -> None:
    async with session_run(on_call=lambda call: answered("no", ok=False)) as run:
        await run.started()
        run.worker.say(guest.call(0), guest.text("still computing"))
        await run.until(lambda: run.output)
        assert run.worker.hears_nothing()

        run.worker.say(guest.idle(0))

        assert await run.worker.hear() == [TAG, Kind.SETTLE, 0, False, "no"]


async def test_no_more_calls_than_the_limit_are_in_flight_until_answers_have_left() -> None:
    async with session_run(limits=Limits(calls_in_flight=1)) as run:
        await run.started()
        run.worker.say(guest.call(0), guest.call(1), guest.text("t"))
        await run.finish(0)
        await run.until(lambda: run.output and run.ends)
        assert len(run.calls) == 1

        run.worker.say(guest.idle(0))
        assert await run.worker.hear() == [TAG, Kind.SETTLE, 0, True, "result 0"]
        await run.finish(1)
        run.worker.say(guest.idle(1))

        assert await run.worker.hear() == [TAG, Kind.SETTLE, 1, True, "result 1"]


async def test_questions_are_answered_in_turn_with_calls_and_count_apart() -> None:
    async with session_run(on_call=lambda call: answered("called")) as run:
        await run.started()
        run.worker.say(guest.ask(0, "search", "x"), guest.call(0), guest.ask(1, "describe", "y"))

        heard = []
        for delivered in range(3):
            run.worker.say(guest.idle(delivered))
            heard.append((await run.worker.hear())[1:])

    assert heard == [
        [Kind.ANSWER, 0, True, "x"],
        [Kind.SETTLE, 0, True, "called"],
        [Kind.ANSWER, 1, True, "y"],
    ]


async def test_a_question_is_looked_into_only_when_its_answer_is_due() -> None:
    async with session_run() as run:
        await run.started()
        run.worker.say(guest.ask(0), guest.ask(1), guest.text("still computing"))
        await run.until(lambda: run.output)
        assert run.asks == []

        run.worker.say(guest.idle(0))
        await run.worker.hear()

        assert [ask.id for ask in run.asks] == [0]


async def test_a_question_that_cannot_be_answered_is_rejected_and_the_run_goes_on(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def broken(ask: Any) -> Settled:
        raise LookupError("broken catalogue")

    async with session_run(on_ask=broken) as run:
        await run.started()
        with caplog.at_level(logging.ERROR, "pool.worker.answers"):
            run.worker.say(guest.ask(0), guest.idle(0))
            heard = await run.worker.hear()
        run.worker.say(guest.end())
        ending = await run.ending()

    assert heard[:4] == [TAG, Kind.ANSWER, 0, False]
    assert heard[4]["message"] == "the host could not carry out this call"
    assert HOST_FAULT.ok is False
    assert "broken catalogue" in caplog.text
    assert ending.is_clean


async def test_the_store_changes_of_a_program_that_succeeded_are_kept() -> None:
    async with session_run(store={"old": "1"}) as run:
        run.worker.say(guest.store({"new": "[2]"}, ["old"]), guest.end("exited"))
        ending = await run.ending()

    assert ending.store == Store(TAG, {"new": "[2]"}, ("old",))


async def test_end_cancels_open_calls_and_waits_for_them_to_acknowledge() -> None:
    async with session_run() as run:
        run.worker.say(guest.call(0, "slow"), guest.call(1, "slower"))
        await run.until(lambda: len(run.calls) == 2)
        run.worker.say(guest.end(calls=2))
        ending = await run.ending()

    assert ending.open_calls == {0: "slow", 1: "slower"}
    assert [record.status for record in ending.calls] == [CallStatus.CANCELLED] * 2
    assert ending.is_clean


async def test_end_does_not_come_before_a_tool_has_acknowledged_within_the_grace() -> None:
    deaf = Deaf()
    async with session_run(on_call=lambda call: deaf) as run:
        await run.started()
        run.worker.say(guest.call(0))
        await deaf.at_work.wait()
        run.worker.say(guest.end(calls=1))
        await run.until(lambda: run.ends)
        for _ in range(10):
            await anyio.lowlevel.checkpoint()
        assert not run.is_over

        deaf.gate.set()

        assert (await run.ending()).is_clean
        assert run.worker.hears_nothing()


@on_a_clock_that_jumps()
async def test_end_waits_for_a_deaf_tool_no_longer_than_the_grace() -> None:
    deaf = Deaf()
    async with session_run(on_call=lambda call: deaf) as run:
        run.worker.say(guest.call(0))
        await deaf.at_work.wait()
        began_at = anyio.current_time()
        run.worker.say(guest.end(calls=1))
        ending = await run.ending()
        waited_s = anyio.current_time() - began_at
        deaf.gate.set()

    assert waited_s == pytest.approx(1.0)
    assert ending.active_s == pytest.approx(0.0)
    assert [record.status for record in ending.calls] == [CallStatus.CANCELLED]


FLOOD = guest.text("x") * 2500

WRITER = "import os, sys; data = bytes.fromhex(sys.argv[1])\nwhile True: os.write(1, data)"


class FloodingWorker(ScriptedWorker):
    """Its output is written without a pause, by a process, until that is killed."""

    def flood(self) -> None:
        self._writer = subprocess.Popen(
            [sys.executable, "-ISc", WRITER, FLOOD.hex()],
            stdout=self.output_fd,
            stderr=subprocess.DEVNULL,
        )

    def sigkill(self) -> None:
        super().sigkill()
        if not self.survives:
            self._writer.kill()

    async def kill(self) -> Any:
        self._writer.kill()
        self._writer.wait()
        return await super().kill()


async def test_a_flood_of_output_delays_neither_its_deadline_nor_another_task() -> None:
    worker = FloodingWorker()
    deadline = anyio.current_time() + 0.5
    async with session_run(worker, deadline=deadline, limits=Limits(output_items=10**9)) as run:
        worker.flood()
        turns, most_between_turns = 0, 0
        while anyio.current_time() < deadline:
            seen = len(run.output)
            await anyio.lowlevel.checkpoint()
            turns += 1
            most_between_turns = max(most_between_turns, len(run.output) - seen)
        ending = await run.ending()

    assert len(run.output) > 1000
    assert most_between_turns <= 64
    assert turns > 10
    assert ending.stop is Stop.TIMEOUT


async def test_a_flood_of_a_worker_that_does_not_die_ends_with_the_drain() -> None:
    worker = FloodingWorker()
    worker.survives = True
    async with session_run(worker, limits=Limits(output_items=10**9)) as run:
        worker.flood()
        await run.until(lambda: len(run.output) > 1000)
        run.session.cancel()
        ending = await run.ending()

    assert ending.stop is Stop.CANCELLED
    assert worker.killed == ["sigkill", "kill"]


@on_a_clock_that_jumps()
async def test_a_silent_worker_that_does_not_die_is_drained_for_a_second() -> None:
    async with session_run() as run:
        run.worker.survives = True
        run.session.cancel()
        began_at = anyio.current_time()
        await run.ending()

        assert anyio.current_time() - began_at == pytest.approx(1.0)
