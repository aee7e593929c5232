"""Whole runs, as a caller sees them."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import anyio

from benchmarks.measured import Measured
from pool import Limits, Outcome, Pool, Tool

TRIVIAL = "return 1"
ENDLESS = "while (true) {}"
DEADLINE_MS = 100

# A spare takes 60 ms on an idle machine, and seconds beside fifty loops.
SPARES_UP_S = 60.0
# Fifty workers boot on two processors while those that are up already loop.
ALL_BUSY_S = 120.0
# Between runs: the worker of the last one is killed and reaped meanwhile.
REST_S = 0.02


def _count(measured: Measured, outcome: Outcome, began: float) -> None:
    if outcome.is_completed:
        measured.samples.append((time.perf_counter() - began) * 1e3)
    else:
        measured.errors += 1
        measured.facts.setdefault("first_error", str(outcome.error))


async def cold_pool(count: int) -> Measured:
    """From opening a pool, with nothing running, to the first outcome, in ms."""
    measured = Measured()
    for _ in range(count):
        began = time.perf_counter()
        async with Pool(size=1, spares=0) as pool:
            _count(measured, await pool.run(TRIVIAL), began)
    return measured


async def cold_command(count: int) -> Measured:
    """The command line, from its start to its end, in ms. The first start is not counted."""
    measured = Measured()
    command = [sys.executable, "-m", "pool.cli", "run", "-", "--json"]
    # An installed package has its bytecode; in a checkout the first start writes it.
    env = {key: text for key, text in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    for number in range(count + 1):
        began = time.perf_counter()
        done = subprocess.run(command, input=TRIVIAL.encode(), stdout=subprocess.PIPE, env=env)
        if done.returncode or b'"value": 1' not in done.stdout:
            measured.errors += 1
        elif number:
            measured.samples.append((time.perf_counter() - began) * 1e3)
    return measured


async def _spare(pool: Pool) -> None:
    """Wait until a spare is ready and nothing else goes on."""
    with anyio.fail_after(SPARES_UP_S):
        while pool.stats().spare == 0 or pool.stats().booting:
            await anyio.sleep(0.005)
    await anyio.sleep(REST_S)


async def warm_spare(count: int) -> Measured:
    """One run after the other without a tenant, each from a spare that is ready, in ms."""
    measured = Measured()
    async with Pool(size=1, spares=1) as pool:
        for _ in range(count):
            await _spare(pool)
            began = time.perf_counter()
            _count(measured, await pool.run(TRIVIAL), began)
    return measured


async def warm_tenant(count: int, *, pause_s: float = 0.0, tools: int = 0) -> Measured:
    """One run after the other of one tenant, in ms; in a pause its worker prepares the next."""
    measured = Measured()
    tenant = "bench"
    offered = [_tool(number) for number in range(tools)]
    async with Pool(size=1, spares=0) as pool:
        await pool.run(TRIVIAL, tenant=tenant, tools=offered)
        for _ in range(count):
            if pause_s:
                await anyio.sleep(pause_s)
            began = time.perf_counter()
            _count(measured, await pool.run(TRIVIAL, tenant=tenant, tools=offered), began)
    return measured


def _tool(number: int) -> Tool:
    return Tool(
        name=f"server__tool_{number}",
        handler=lambda _argument: None,
        inline=True,
        namespace="server",
        description=f"Does the thing number {number}, and says in one sentence what that is",
        input_schema={"type": "object", "properties": {"path": {"type": "string"}}},
    )


async def throughput(count: int, *, callers: int, tenant: bool) -> Measured:
    """`count` runs shared by callers that never rest; samples are ms per run."""
    measured = Measured()
    remaining = iter(range(count))

    async def call(pool: Pool, name: str | None) -> None:
        for _ in remaining:
            began = time.perf_counter()
            _count(measured, await pool.run(TRIVIAL, tenant=name), began)

    async with Pool(size=callers, spares=min(2, callers)) as pool:
        names = [f"caller {number}" if tenant else None for number in range(callers)]
        for name in names:
            await pool.run(TRIVIAL, tenant=name)
        began = time.perf_counter()
        async with anyio.create_task_group() as group:
            for name in names:
                group.start_soon(call, pool, name)
        measured.per_second = len(measured.samples) / (time.perf_counter() - began)
    return measured


async def deadline(count: int, *, source: str, beside: int = 0) -> Measured:
    """How long after its deadline the outcome of a program that will not end is there, in ms.

    Args:
        beside: Endless loops that other runs of the pool are in meanwhile.
    """
    measured = Measured()
    limits = Limits(timeout_ms=DEADLINE_MS)
    async with Pool(size=beside + 1, spares=1) as pool, anyio.create_task_group() as busy:
        for _ in range(beside):
            busy.start_soon(pool.run, ENDLESS)
        await _busy(pool, beside)
        for _ in range(count):
            await _spare(pool)
            outcome = await pool.run(source, limits=limits)
            outcome.close()
            if outcome.reason == "Timeout":
                measured.samples.append(outcome.timings.total_ms - DEADLINE_MS)
            else:
                measured.errors += 1
                measured.facts.setdefault("first_error", f"{outcome.reason}: {outcome.error}")
        busy.cancel_scope.cancel()
    return measured


async def kill_to_outcome(count: int) -> Measured:
    """From telling a loop to stop to its outcome, in ms: the worker is killed and reaped."""
    measured = Measured()
    async with Pool(size=1, spares=1) as pool:
        for _ in range(count):
            await _spare(pool)
            async with pool.start("text('x'); " + ENDLESS) as run:
                await run.event(0)
                began = time.perf_counter()
                run.cancel()
                await run.outcome()
                measured.samples.append((time.perf_counter() - began) * 1e3)
    return measured


async def _busy(pool: Pool, wanted: int) -> None:
    """Wait until so many runs are under way."""
    with anyio.fail_after(ALL_BUSY_S):
        while pool.stats().busy < wanted:
            await anyio.sleep(0.05)
