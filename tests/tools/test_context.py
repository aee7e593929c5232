"""What a tool is told about its call, and what it can report."""

from __future__ import annotations

import threading

import anyio
import pytest

from pool.errors import ToolDefinitionError
from pool.tools.catalog import Catalog
from pool.tools.context import (
    MAX_REPORT_CHARS,
    MAX_REPORTS,
    CallIdentity,
    CallProgress,
    ToolContext,
)
from pool.tools.dispatch import Dispatcher
from pool.tools.sources.python import tool
from pool.tools.threads import Threads
from pool.wire.messages import Call, Settled

pytestmark = pytest.mark.anyio


def begin(made, argument, reports):
    dispatcher = Dispatcher(
        Catalog([made]), threads=Threads(4), result_bytes=1000, on_progress=reports.append
    )
    return dispatcher.begin(Call(1, 7, made.name, argument))


async def settle(made, argument):
    reports: list[CallProgress] = []
    begun = begin(made, argument, reports)
    settled = begun if isinstance(begun, Settled) else await begun()
    assert settled.ok, settled.payload
    return reports


async def in_task(n: int, about: ToolContext) -> str:
    about.progress("half", done=n, total=2)
    return about.call.name


def plain(n: int, about: ToolContext) -> str:
    about.progress("half", done=n, total=2)
    return about.call.name


@pytest.mark.parametrize(
    "made", [tool(in_task), tool(plain), tool(inline=True)(plain)], ids=["task", "thread", "inline"]
)
async def test_a_tool_reports_progress_of_its_call_in_every_way_it_runs(made):
    assert await settle(made, {"n": 1}) == [CallProgress(7, "half", 1, 2)]


def test_the_context_is_no_part_of_the_schema():
    assert set(tool(plain).input_schema["properties"]) == {"n"}
    assert tool(plain).wants_context


def test_a_function_without_context_is_given_none():
    def add(a: int) -> int:
        return a

    assert not tool(add).wants_context


def test_an_argument_cannot_give_the_context():
    refused = tool(plain).argument_check.fault({"n": 1, "about": {}})

    assert "about" in refused
    assert tool(plain).argument_check.fault({"n": 1}) is None


def test_a_context_that_has_no_name_is_refused():
    def nameless(about: ToolContext, /) -> None: ...

    with pytest.raises(ToolDefinitionError, match="positional-only"):
        tool(nameless)


async def test_the_context_knows_index_and_canonical_name():
    seen = []

    @tool(name="read-file", inline=True)
    def read(context: ToolContext) -> None:
        seen.append(context.call)

    await settle(read, {})

    assert seen == [CallIdentity(7, "read-file")]


async def test_a_thread_sees_that_its_call_was_cancelled():
    started, go_on, done, seen = anyio.Event(), threading.Event(), threading.Event(), []

    @tool
    def work(context: ToolContext) -> None:
        seen.append(context.is_cancelled)
        anyio.from_thread.run_sync(started.set)
        go_on.wait(5)
        seen.append(context.is_cancelled)
        done.set()

    with anyio.fail_after(5):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(begin(work, {}, []))
            await started.wait()
            tasks.cancel_scope.cancel()
    go_on.set()

    assert done.wait(5)
    assert seen == [False, True]


async def test_a_thread_sees_that_its_call_took_too_long():
    go_on, done, seen = threading.Event(), threading.Event(), []

    @tool(timeout_s=0.2)
    def work(context: ToolContext) -> None:
        go_on.wait(5)
        seen.append(context.is_cancelled)
        done.set()

    with anyio.fail_after(5):
        settled = await begin(work, {}, [])()
    go_on.set()

    assert not settled.ok
    assert done.wait(5)
    assert seen == [True]


async def test_what_is_reported_after_the_end_is_dropped():
    kept = []

    @tool(inline=True)
    def keep(context: ToolContext) -> None:
        context.progress("in time")
        kept.append(context)

    reports: list[CallProgress] = []
    begin(keep, {}, reports)
    kept[0].progress("late")

    assert [report.message for report in reports] == ["in time"]
    assert not kept[0].is_cancelled


async def test_reports_are_bounded_in_number_and_length():
    reports: list[CallProgress] = []
    context = ToolContext(CallIdentity(0, "t"), reports.append)

    for _ in range(MAX_REPORTS + 1):
        context.progress("x" * (MAX_REPORT_CHARS + 1))

    assert len(reports) == MAX_REPORTS
    assert len(reports[0].message) == MAX_REPORT_CHARS


def test_a_report_to_an_event_loop_that_is_gone_is_dropped(anyio_backend_name):
    made = []

    async def make() -> None:
        made.append(ToolContext(CallIdentity(0, "t"), lambda report: made.append(report)))

    anyio.run(make, backend=anyio_backend_name)
    thread = threading.Thread(target=lambda: made[0].progress("hello"))
    thread.start()
    thread.join(5)

    assert not thread.is_alive()
    assert len(made) == 1
