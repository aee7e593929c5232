"""How often a client hears of calls."""

from __future__ import annotations

from types import SimpleNamespace

import anyio
import pytest

from pool import CallRecord, CallStarted, CallStatus
from pool.mcp_server.server import PROGRESS_INTERVAL_S, _report

pytestmark = pytest.mark.anyio

CALLS = 2000


async def _events():
    for index in range(CALLS):
        yield CallStarted(index, "quick")
        yield CallRecord(index, "quick", CallStatus.OK, 0.0)


async def test_two_thousand_quick_calls_are_told_of_once_an_interval():
    said: list[str] = []

    async def report_progress(_progress: float, *, message: str) -> None:
        said.append(message)

    context = SimpleNamespace(session=SimpleNamespace(report_progress=report_progress))
    started_at = anyio.current_time()
    await _report(context, _events())
    intervals = (anyio.current_time() - started_at) / PROGRESS_INTERVAL_S

    assert said[0] == "0 of 1 calls ended; quick"
    assert len(said) <= 1 + intervals
