"""What tools report while they run, as events of the run."""

from __future__ import annotations

import anyio
import pytest
from live_pools import PATIENCE_S

from pool import CallProgress, CallRecord, CallStarted, Pool, ToolContext, tool

pytestmark = pytest.mark.anyio


@tool
def copy(files: int, context: ToolContext) -> int:
    """Copy files."""
    for number in range(files):
        context.progress(f"file {number}", done=number, total=files)
    return files


async def test_t1_progress_of_a_call_is_an_event_between_its_start_and_its_end():
    with anyio.fail_after(PATIENCE_S):
        async with Pool(size=1, spares=0) as pool:
            async with pool.start("await tools.copy({files: 2})", tools=[copy]) as run:
                events = [event async for event in run]

    assert events[:3] == [
        CallStarted(0, "copy"),
        CallProgress(0, "file 0", 0, 2),
        CallProgress(0, "file 1", 1, 2),
    ]
    assert [type(event) for event in events[3:]] == [CallRecord]


async def test_s7_a_call_that_was_cancelled_reports_no_more():
    kept = []

    @tool
    async def stubborn(context: ToolContext) -> None:
        kept.append(context)
        await anyio.sleep_forever()

    with anyio.fail_after(PATIENCE_S):
        async with Pool(size=1, spares=0) as pool:
            async with pool.start("tools.stubborn(); await null", tools=[stubborn]) as run:
                outcome = await run.outcome()
                kept[0].progress("still here")
                events = [event async for event in run]

    assert outcome.calls[0].status == "cancelled"
    assert kept[0].is_cancelled
    assert not [event for event in events if isinstance(event, CallProgress)]
