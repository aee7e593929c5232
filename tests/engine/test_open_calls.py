"""What becomes of calls that are open when a program ends: spec S-7."""

from __future__ import annotations

import anyio
import pytest
from live_pools import FOREVER, PATIENCE_S, Gate, warm_up, watched_pool

from pool import CallStarted, CallStatus, Limits, Pool, Reason, Tool

pytestmark = pytest.mark.anyio


def seeing(called: anyio.Event) -> Tool:
    """A tool that answers once another one was called."""

    async def see(argument):
        await called.wait()

    return Tool(name="seen", handler=see)


def waited_ms(outcome) -> float:
    """From the program's end to the outcome: a few milliseconds unless a tool is waited for."""
    timings = outcome.timings
    return timings.total_ms - timings.queue_ms - timings.start_ms - timings.active_ms


def statuses(outcome) -> list[tuple[int, str, CallStatus]]:
    return [(call.index, call.name, call.status) for call in outcome.calls]


async def test_s7_calls_that_nothing_awaited_are_cancelled_on_the_host_and_named():
    gate = Gate()
    source = "tools.gate(1); tools.gate(2); await tools.seen(); return 1"
    seen = seeing(gate.called)
    with anyio.fail_after(PATIENCE_S):
        async with Pool(size=1, spares=0) as pool:
            outcome = await pool.run(source, tools=[gate.tool, seen])

            assert outcome.value == 1
            assert statuses(outcome) == [
                (0, "gate", CallStatus.CANCELLED),
                (1, "gate", CallStatus.CANCELLED),
                (2, "seen", CallStatus.OK),
            ]
            assert gate.left.is_set()
            assert len(outcome.notes) == 1
            assert outcome.notes[0] == (
                "Cancelled when the program ended, because nothing awaited them: "
                "gate (2 times, line 1)."
            )


async def test_s7_the_note_has_the_lines_of_calls_that_nothing_awaited():
    gate = Gate()
    source = """```js
    const start = (argument) => tools.gate(argument);
    start(1); start(2);
    for (let i = 0; i < 3; i++)
      tools.gate(i);
    tools.other();
    await tools.seen()
    ```"""
    tools = [gate.tool, Tool(name="other", handler=gate.tool.handler), seeing(gate.called)]
    with anyio.fail_after(PATIENCE_S):
        async with Pool(size=1, spares=0) as pool:
            outcome = await pool.run(source, tools=tools)

            assert outcome.notes[-1] == (
                "Cancelled when the program ended, because nothing awaited them: "
                "gate (5 times, lines 2 and 5), other (line 6)."
            )


async def test_s7_the_note_names_a_few_lines_when_there_are_many():
    gate = Gate()
    source = "tools.gate();\n" * 200 + "exit()"
    with anyio.fail_after(PATIENCE_S):
        async with Pool(size=1, spares=0) as pool:
            outcome = await pool.run(source, tools=[gate.tool])

            assert outcome.notes[-1] == (
                "Cancelled when the program ended: "
                "gate (200 times, lines 1, 2, 3, 4, 5 and others)."
            )


@pytest.mark.parametrize(
    ("ending", "reason"), [("throw new Error('x')", Reason.ERROR), ("exit()", None)]
)
async def test_s7_however_a_program_ends_by_itself_its_open_calls_are_cancelled(ending, reason):
    gate = Gate()
    with anyio.fail_after(PATIENCE_S):
        async with Pool(size=1, spares=0) as pool:
            outcome = await pool.run(f"tools.gate(); {ending}", tools=[gate.tool])

            assert outcome.reason is reason
            assert statuses(outcome) == [(0, "gate", CallStatus.CANCELLED)]
            assert outcome.notes[-1] == "Cancelled when the program ended: gate (line 1)."


async def test_s7_calls_that_wait_for_room_are_cancelled_too():
    gate = Gate()
    source = "for (let i = 0; i < 3; i++) tools.gate(i); exit()"
    with anyio.fail_after(PATIENCE_S):
        async with Pool(size=1, spares=0) as pool:
            outcome = await pool.run(source, tools=[gate.tool], limits=Limits(calls_in_flight=1))

            assert {status for _, _, status in statuses(outcome)} == {CallStatus.CANCELLED}
            assert len(outcome.calls) == 3


class Stubborn:
    """A tool that goes on after its call was cancelled, until the test releases it."""

    def __init__(self) -> None:
        self.called = anyio.Event()
        self.released = anyio.Event()

    @property
    def tool(self) -> Tool:
        return Tool(name="stubborn", handler=self._stay)

    async def _stay(self, argument):
        self.called.set()
        with anyio.CancelScope(shield=True):
            await self.released.wait()


async def test_s7_a_tool_that_ignores_its_cancellation_holds_the_outcome_back_for_a_second_only():
    stubborn = Stubborn()
    with anyio.fail_after(PATIENCE_S):
        async with Pool(size=1, spares=0) as pool:
            source = "tools.stubborn(); await tools.seen(); return 1"
            outcome = await pool.run(source, tools=[stubborn.tool, seeing(stubborn.called)])

            assert outcome.value == 1
            assert statuses(outcome)[0] == (0, "stubborn", CallStatus.CANCELLED)
            assert 1_000 <= waited_ms(outcome) < 5_000
            stubborn.released.set()


async def test_s7_a_time_out_does_not_wait_for_tools_to_acknowledge():
    stubborn = Stubborn()
    with anyio.fail_after(PATIENCE_S):
        async with Pool(size=1, spares=0) as pool:
            await warm_up(pool, "t")
            outcome = await pool.run(
                f"tools.stubborn(); await tools.seen(); {FOREVER}",
                tenant="t",
                tools=[stubborn.tool, seeing(stubborn.called)],
                limits=Limits(timeout_ms=500),
            )
            stubborn.released.set()

            assert outcome.reason is Reason.TIMEOUT
            assert waited_ms(outcome) < 1_000
            assert statuses(outcome)[0] == (0, "stubborn", CallStatus.CANCELLED)
            assert outcome.notes == ("Cancelled at the time-out: stubborn.",)


async def test_s7_a_cancel_does_not_wait_for_tools_to_acknowledge():
    stubborn = Stubborn()
    with anyio.fail_after(PATIENCE_S):
        async with (
            Pool(size=1, spares=0) as pool,
            pool.start("await tools.stubborn()", tools=[stubborn.tool]) as run,
        ):
            await stubborn.called.wait()
            run.cancel()
            outcome = await run.outcome()
            stubborn.released.set()

            assert outcome.reason is Reason.CANCELLED
            assert waited_ms(outcome) < 1_000
            assert outcome.notes == ("Cancelled with the run: stubborn.",)


async def test_s7_every_call_that_started_has_exactly_one_end():
    gate = Gate()
    quick = Tool(name="quick", handler=lambda argument: argument, inline=True)
    source = """
    for (let i = 0; i < 30; i++) { tools.gate(i); tools.quick(i); tools.slow(i) }
    await tools.quick();
    return 1
    """
    slow = Tool(name="slow", handler=lambda argument: argument)
    with anyio.fail_after(PATIENCE_S):
        async with (
            Pool(size=1, spares=0) as pool,
            pool.start(source, tools=[gate.tool, quick, slow]) as run,
        ):
            started = [event.index async for event in run if isinstance(event, CallStarted)]
            outcome = await run.outcome()

            assert outcome.value == 1
            assert [call.index for call in outcome.calls] == list(range(91))
            assert sorted(started) == sorted(set(started))
            assert set(started) <= set(range(91))


async def test_s7_unhandled_rejections_become_notes():
    source = """
    Promise.reject(new Error("lost"));
    const late = Promise.reject(new Error("caught"));
    try { await late } catch {}
    return 1
    """
    async with Pool(size=1, spares=0) as pool:
        outcome = await pool.run(source)

        assert outcome.is_completed
        assert len(outcome.notes) == 1
        assert "lost" in outcome.notes[0]
        assert "program.js:2:20" in outcome.notes[0]


async def test_s7_many_unhandled_rejections_are_counted():
    source = """
    const caught = [];
    for (let turn = 0; turn < 5; turn++) {
      for (let i = 0; i < 2_000; i++) {
        const rejected = Promise.reject(i);
        if (i % 2) caught.push(rejected);
      }
      await tools.quick();
    }
    for (const rejected of caught) rejected.catch(() => {});
    await tools.quick();
    return 1
    """
    quick = Tool(name="quick", handler=lambda argument: argument)
    async with Pool(size=1, spares=0) as pool:
        outcome = await pool.run(source, tools=[quick])

        assert outcome.value == 1
        assert outcome.notes[0] == "Unhandled rejection: 0"
        assert outcome.notes[-1] == "4990 more unhandled rejections are not shown"


async def test_s7_more_unhandled_rejections_than_the_engine_can_report_fail_the_run_and_say_so():
    source = "for (let i = 0; i < 100_000; i++) Promise.reject(i)"
    with anyio.fail_after(PATIENCE_S):
        async with watched_pool() as (pool, _):
            outcome = await pool.run(source, tenant="t")
            after = await pool.run("return 1", tenant="t")

            assert outcome.reason is Reason.ERROR
            assert outcome.error.name == "UnhandledRejections"
            assert after.value == 1


async def test_s7_nothing_a_program_does_after_its_end_counts():
    source = """
    Promise.resolve().then(async () => {
      for (let i = 0; i < 100; i++) await null;
      try { text("late"); store("k", 1); tools.quick() } catch {}
    });
    text("in time");
    exit();
    """
    calls = []
    quick = Tool(name="quick", handler=calls.append, inline=True)
    async with watched_pool() as (pool, _):
        outcome = await pool.run(source, tools=[quick], tenant="t")
        after = await pool.run("return 1", tenant="t")

        assert [item.text for item in outcome.output] == ["in time"]
        assert outcome.store.set == {}
        assert calls == []
        assert after.value == 1


async def test_s7_what_a_tool_gives_after_its_call_is_dropped_and_counted():
    may_return, returned = anyio.Event(), anyio.Event()

    async def stubborn(argument):
        with anyio.CancelScope(shield=True):
            await may_return.wait()
        returned.set()
        return "too late"

    with anyio.fail_after(PATIENCE_S):
        async with Pool(size=1, spares=0) as pool:
            tool = Tool(name="stubborn", handler=stubborn)
            outcome = await pool.run("tools.stubborn(); exit()", tools=[tool])
            assert statuses(outcome) == [(0, "stubborn", CallStatus.CANCELLED)]
            assert pool.stats().late_results == 0

            may_return.set()
            await returned.wait()
            await anyio.wait_all_tasks_blocked()

            assert pool.stats().late_results == 1
