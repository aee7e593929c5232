"""Calls of one program: order, room, and exactly one end for each, whatever a tool does."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable
from functools import partial

import anyio
import anyio.lowlevel
import msgpack
import pytest
from anyio.abc import TaskGroup

from pool.program.outcome import CallRecord, CallStatus
from pool.wire.messages import Call, Settled
from pool.worker.calls import HOST_FAULT, OPEN_BYTES, Begun, Calls

pytestmark = pytest.mark.anyio

OK = Settled(ok=True, payload=b"\xc0")
REFUSED = Settled(ok=False, payload=msgpack.packb({"name": "Error", "message": "no"}))


class Tools:
    """Tools that answer when the test says so, and everything that is told about their calls."""

    def __init__(self, tasks: TaskGroup, *, in_flight: int = 2) -> None:
        self.started: list[int] = []
        self.at_work: set[int] = set()
        self.settled: list[tuple[int, Settled]] = []
        self.ends: list[CallRecord] = []
        self.flushes = 0
        self.late = 0
        self.tool: Callable[[Call], Begun] = self.wait
        self.gates = [anyio.Event() for _ in range(20)]
        self.calls = Calls(
            on_call=lambda call: self.tool(call),
            in_flight=in_flight,
            tasks=tasks,
            on_settled=lambda index, settled: self.settled.append((index, settled)),
            flush=self.flush,
            on_end=self.ends.append,
            on_late=self.count_late,
        )

    def count_late(self) -> None:
        self.late += 1

    def begin(self, count: int) -> None:
        for index in range(self.calls.count, self.calls.count + count):
            self.calls.begin(Call(1, index, f"tool_{index}", {}), 100)

    def wait(self, call: Call) -> Begun:
        self.started.append(call.index)
        return partial(self.answer, call.index)

    async def answer(self, index: int) -> Settled:
        self.at_work.add(index)
        try:
            await self.gates[index].wait()
        finally:
            self.at_work.discard(index)
        return OK

    async def flush(self) -> None:
        self.flushes += 1

    @property
    def statuses(self) -> dict[int, CallStatus]:
        assert max(Counter(end.index for end in self.ends).values(), default=1) == 1
        return {end.index: end.status for end in self.ends}


async def turns(count: int = 10) -> None:
    """Let every task that can go on do so."""
    for _ in range(count):
        await anyio.lowlevel.checkpoint()


async def test_no_more_calls_than_allowed_are_in_flight_and_the_rest_start_in_order() -> None:
    async with anyio.create_task_group() as tasks:
        tools = Tools(tasks, in_flight=2)
        tools.begin(5)
        await turns()
        assert tools.at_work == {0, 1}

        for index in (1, 0, 2, 4, 3):
            tools.gates[index].set()
            await turns()
            tools.calls.delivered()

        await turns()
        assert tools.started == [0, 1, 2, 3, 4]
        assert [index for index, _ in tools.settled] == [1, 0, 2, 4, 3]


async def test_a_call_keeps_its_room_until_its_answer_has_left() -> None:
    async with anyio.create_task_group() as tasks:
        tools = Tools(tasks, in_flight=1)
        tools.begin(2)
        tools.gates[0].set()
        await turns()
        assert tools.settled == [(0, OK)]
        assert tools.started == [0]

        tools.calls.delivered()

        assert tools.started == [0, 1]
        tools.calls.cancel()


async def test_a_new_call_does_not_overtake_one_that_waits() -> None:
    async with anyio.create_task_group() as tasks:
        tools = Tools(tasks, in_flight=1)
        tools.tool = lambda call: tools.started.append(call.index) or OK
        tools.begin(3)
        assert tools.started == [0]

        tools.calls.delivered()
        tools.begin(1)
        tools.calls.delivered()
        tools.calls.delivered()

        assert tools.started == [0, 1, 2, 3]


async def test_a_call_that_is_answered_at_once_takes_no_task() -> None:
    async with anyio.create_task_group() as tasks:
        tools = Tools(tasks)
        tools.tool = lambda call: OK if call.index else REFUSED

        tools.begin(2)

        assert tools.settled == [(0, REFUSED), (1, OK)]
        assert tools.statuses == {0: CallStatus.ERROR, 1: CallStatus.OK}
        assert tools.flushes == 0


async def test_an_awaited_answer_is_flushed_and_recorded() -> None:
    async with anyio.create_task_group() as tasks:
        tools = Tools(tasks)
        tools.begin(2)
        assert tools.calls.open_names == {0: "tool_0", 1: "tool_1"}
        tools.gates[1].set()
        await turns()

        assert tools.flushes == 1
        assert tools.calls.open_names == {0: "tool_0"}
        assert [record.name for record in tools.calls.records] == ["tool_1"]
        assert tools.calls.records[0].duration_ms >= 0
        tools.calls.cancel()


async def test_records_are_in_the_order_of_the_calls() -> None:
    async with anyio.create_task_group() as tasks:
        tools = Tools(tasks, in_flight=3)
        tools.begin(3)
        for index in (2, 0):
            tools.gates[index].set()
            await turns()
        tools.calls.cancel()

        assert [end.index for end in tools.ends] == [2, 0, 1]
        assert [record.index for record in tools.calls.records] == [0, 1, 2]


async def test_the_size_of_what_is_in_flight_and_of_what_waits_is_known() -> None:
    async with anyio.create_task_group() as tasks:
        tools = Tools(tasks, in_flight=1)
        tools.begin(3)
        assert tools.calls.held_bytes == 3 * (100 + OPEN_BYTES)

        for index in range(3):
            tools.gates[index].set()
            await turns()
            assert tools.calls.held_bytes == (2 - index) * (100 + OPEN_BYTES)
            tools.calls.delivered()


async def broken() -> Settled:
    raise ZeroDivisionError


def breaks_at_once(call: Call) -> Begun:
    raise ZeroDivisionError


@pytest.mark.parametrize("tool", [breaks_at_once, lambda call: broken], ids=["at once", "awaited"])
async def test_a_fault_of_the_dispatch_fails_its_call_and_no_other(
    tool: Callable[[Call], Begun], caplog: pytest.LogCaptureFixture
) -> None:
    async with anyio.create_task_group() as tasks:
        tools = Tools(tasks)
        tools.tool = lambda call: OK if call.index else tool(call)
        with caplog.at_level(logging.ERROR, "pool.worker.calls"):
            tools.begin(2)
            await turns()

        assert dict(tools.settled) == {0: HOST_FAULT, 1: OK}
        assert tools.statuses == {0: CallStatus.ERROR, 1: CallStatus.OK}
        assert [record.exc_info is not None for record in caplog.records] == [True]


async def test_cancelling_ends_calls_that_run_and_calls_that_wait() -> None:
    async with anyio.create_task_group() as tasks:
        tools = Tools(tasks, in_flight=2)
        tools.begin(4)
        await turns()

        tools.calls.cancel()
        tools.calls.cancel()

        await turns()
        assert tools.statuses == dict.fromkeys(range(4), CallStatus.CANCELLED)
        assert tools.calls.open_names == {}
        assert tools.at_work == set()
        assert tools.settled == []


async def test_a_tool_whose_task_had_no_turn_yet_is_not_started_by_its_cancellation() -> None:
    entered = []

    async def enter() -> Settled:
        entered.append(True)
        return OK

    async with anyio.create_task_group() as tasks:
        tools = Tools(tasks)
        tools.tool = lambda call: enter
        tools.begin(1)
        tools.calls.cancel()
        await tools.calls.wait_returned(1)

    assert entered == []
    assert tools.statuses == {0: CallStatus.CANCELLED}


class Deaf:
    """A tool that does not hear that it is cancelled."""

    def __init__(self) -> None:
        self.gate = anyio.Event()

    async def answer(self) -> Settled:
        with anyio.CancelScope(shield=True):
            await self.gate.wait()
        return OK


async def test_an_answer_that_comes_after_the_end_is_dropped() -> None:
    async with anyio.create_task_group() as tasks:
        tools, deaf = Tools(tasks), Deaf()
        tools.tool = lambda call: deaf.answer
        tools.begin(1)
        await turns()
        tools.calls.cancel()
        deaf.gate.set()
        await tools.calls.wait_returned(1)

        assert tools.statuses == {0: CallStatus.CANCELLED}
        assert tools.settled == []
        assert tools.flushes == 0


async def test_a_tool_that_fails_when_it_is_cancelled_has_one_end_too(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def answer() -> Settled:
        try:
            await anyio.sleep_forever()
        finally:
            raise ValueError("no time for this")

    async with anyio.create_task_group() as tasks:
        tools = Tools(tasks)
        tools.tool = lambda call: answer
        tools.begin(1)
        await turns()
        tools.calls.cancel()
        await tools.calls.wait_returned(1)

    assert tools.statuses == {0: CallStatus.CANCELLED}
    assert "broke outside its tool" in caplog.text


async def test_waiting_for_tools_ends_with_the_last_of_them() -> None:
    async with anyio.create_task_group() as tasks:
        tools = Tools(tasks, in_flight=2)
        first, second = Deaf(), Deaf()
        tools.tool = lambda call: (first, second)[call.index].answer
        tools.begin(2)
        await turns()
        tools.calls.cancel()
        returned = anyio.Event()

        async def wait() -> None:
            await tools.calls.wait_returned(5)
            returned.set()

        tasks.start_soon(wait)
        first.gate.set()
        await turns()
        assert not returned.is_set()

        second.gate.set()

        with anyio.fail_after(1):
            await returned.wait()


async def test_waiting_for_tools_ends_with_its_grace() -> None:
    async with anyio.create_task_group() as tasks:
        tools, deaf = Tools(tasks), Deaf()
        tools.tool = lambda call: deaf.answer
        tools.begin(1)
        await turns()
        tools.calls.cancel()

        with anyio.fail_after(1):
            await tools.calls.wait_returned(0)
        deaf.gate.set()


async def test_waiting_for_tools_ends_at_once_when_none_is_at_work() -> None:
    async with anyio.create_task_group() as tasks:
        tools = Tools(tasks)
        tools.tool = lambda call: OK
        tools.begin(1)

        with anyio.fail_after(1):
            await tools.calls.wait_returned(60)


@pytest.mark.parametrize("after", range(12))
async def test_cancelled_at_any_point_every_call_has_one_end(after: int) -> None:
    async def answer(index: int) -> Settled:
        await turns(index)
        return OK

    async with anyio.create_task_group() as tasks:
        tools = Tools(tasks, in_flight=2)
        tools.tool = lambda call: partial(answer, call.index)
        tools.begin(6)
        for _ in range(after):
            await turns(1)
            if tools.settled:
                tools.calls.delivered()
                tools.settled.pop()
        tools.calls.cancel()

    assert sorted(tools.statuses) == list(range(6))


async def test_a_group_that_is_cancelled_leaves_no_call_without_an_end() -> None:
    async with anyio.create_task_group() as tasks:
        tools = Tools(tasks, in_flight=1)
        tools.begin(2)
        await turns()
        tasks.cancel_scope.cancel()

    tools.calls.cancel()

    assert tools.statuses == dict.fromkeys(range(2), CallStatus.CANCELLED)
