"""Programs that never come to rest are stopped at their deadline: spec L-3."""

from __future__ import annotations

import time

import pytest
from live_pools import FOREVER, Gate, warm_up, watched_pool

from pool import Limits, Reason, TextItem, Tool

NEVER_RESTS = {
    "loop": FOREVER,
    "microtasks": "for (;;) await null",
    "promise jobs": ("const again = () => Promise.resolve().then(again); await again()"),
    "regex": "/^(a+)+$/.test('a'.repeat(60) + 'b')",
    "sort": "const a = Array.from({length: 2e6}, Math.random); for (;;) a.sort((x, y) => y - x)",
    "getter": "({ get x() { for (;;) {} } }).x",
    "toJSON": "text({ toJSON() { for (;;) {} } })",
    "error": "throw Object.defineProperty(new Error(), 'message', { get() { for (;;) {} } })",
    "after the end": "Promise.resolve().then(() => { for (;;) {} }); return 1",
    "big numbers": "let n = 3n; for (;;) n = n ** 2n % (10n ** 50000n)",
    "calls": "for (;;) await tools.quick()",
}

TIMEOUT_MS = 500

# 100 ms on a machine with a core free (see the benchmarks); a machine that runs tests has none.
LATE_MS = 10_000


@pytest.mark.parametrize("source", NEVER_RESTS.values(), ids=NEVER_RESTS.keys())
def test_l3_it_ends_with_a_time_out_and_keeps_its_output(run, evaluate, source):
    evaluate("return 'a worker is there'")

    outcome = run(
        f"text('a'); {source}",
        tools=[Tool(name="quick", handler=lambda argument: None, inline=True)],
        limits=Limits(timeout_ms=TIMEOUT_MS),
    )

    assert outcome.reason is Reason.TIMEOUT, outcome.error
    assert outcome.output == (TextItem("a"),)
    assert TIMEOUT_MS <= outcome.timings.total_ms < TIMEOUT_MS + LATE_MS


@pytest.mark.anyio
async def test_l3_a_flood_of_output_delays_neither_its_own_deadline_nor_another_run():
    ample = Limits(output_items=10_000_000)
    flooding = Limits(timeout_ms=1_500)
    gate = Gate()
    gate.opened.set()
    async with watched_pool(size=2, spares=1, limits=ample) as (pool, _):
        await warm_up(pool, "flood")
        source = "await tools.gate(); for (;;) console.log('x')"
        flood = pool.start(source, tools=[gate.tool], tenant="flood", limits=flooding)
        async with flood as run:
            await gate.called.wait()
            other = await pool.run("return 1")
            outcome = await run.outcome()

        assert other.value == 1
        assert other.timings.total_ms < LATE_MS
        assert outcome.reason is Reason.TIMEOUT
        assert len(outcome.console) > 100
        assert outcome.timings.total_ms < flooding.timeout_ms + LATE_MS


@pytest.mark.anyio
async def test_l3_the_deadline_holds_although_the_host_is_busy_for_a_while():
    def block(argument):
        deadline = time.monotonic() + 1
        while time.monotonic() < deadline:
            pass

    async with watched_pool() as (pool, _):
        await warm_up(pool, "t")
        outcome = await pool.run(
            f"text('a'); await tools.block(); text('b'); {FOREVER}",
            tools=[Tool(name="block", handler=block, inline=True)],
            tenant="t",
            limits=Limits(timeout_ms=1_500),
        )

        assert outcome.reason is Reason.TIMEOUT
        assert outcome.output == (TextItem("a"), TextItem("b"))
        assert (await pool.run("return 1")).value == 1
