"""Tool calls and the values they carry.

The clock is read where the tool is: from one entry of the handler to the next is exactly one
round trip, the program's own loop included.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any

import msgpack

from benchmarks.measured import Measured
from pool import Outcome, Pool, Tool

PARALLEL_CALLS = 10_000
MIB = 1024 * 1024

RECORDS = """
const records = Array.from({length: 5200}, (_, i) => ({
  id: i, name: "record " + i, tags: ["alpha", "beta", "gamma"],
  position: {x: i / 3, y: i / 7}, active: i % 2 === 0, note: "x".repeat(60),
}));
"""


def _records() -> list[dict[str, Any]]:
    """What `RECORDS` makes, on this side."""
    return [
        {
            "id": i,
            "name": f"record {i}",
            "tags": ["alpha", "beta", "gamma"],
            "position": {"x": i / 3, "y": i / 7},
            "active": i % 2 == 0,
            "note": "x" * 60,
        }
        for i in range(5200)
    ]


def _tool(kind: str, work: Callable[[Any], Any]) -> Tool:
    async def coroutine(argument: Any) -> Any:
        return work(argument)

    handler = coroutine if kind == "coroutine" else work
    return Tool(name="step", handler=handler, description="Takes a step.", inline=kind == "inline")


def _steps(entries: Iterable[float], unit: float) -> list[float]:
    return [(later - earlier) * unit for earlier, later in pairwise(entries)]


def _check(measured: Measured, outcome: Outcome) -> None:
    if not outcome.is_completed:
        measured.errors += 1
        measured.facts["first_error"] = str(outcome.error)


async def round_trip(count: int, *, kind: str) -> Measured:
    """Call a tool that does nothing, again and again, in µs per call."""
    entries: list[float] = []

    def note(_argument: Any) -> int:
        entries.append(time.perf_counter())
        return 1

    source = f"for (let i = 0; i < {count}; i++) await tools.step({{i}});"
    async with Pool(size=1, spares=0) as pool:
        outcome = await pool.run(source, tools=[_tool(kind, note)], tenant="bench")
    measured = Measured(samples=_steps(entries, 1e6))
    _check(measured, outcome)
    return measured


async def parallel_calls(count: int) -> Measured:
    """10,000 calls made in one turn; samples are ms of program time per run."""
    measured = Measured()
    tool = _tool("inline", lambda argument: argument["i"])
    source = (
        f"const all = await Promise.all(Array.from({{length: {PARALLEL_CALLS}}}, "
        "(_, i) => tools.step({i}))); return all.every((v, i) => v === i);"
    )
    async with Pool(size=1, spares=0) as pool:
        for _ in range(count):
            outcome = await pool.run(source, tools=[tool], tenant="bench")
            _check(measured, outcome)
            if outcome.value is True:
                measured.samples.append(outcome.timings.active_ms)
    if measured.samples:
        measured.per_second = PARALLEL_CALLS * len(measured.samples) / sum(measured.samples) * 1e3
    return measured


async def value_in(count: int) -> Measured:
    """A tool returns the records to the program, in ms per call."""
    records = _records()
    entries: list[float] = []

    def give(_argument: Any) -> list[dict[str, Any]]:
        entries.append(time.perf_counter())
        return records

    source = (
        f"let n = 0; for (let i = 0; i <= {count}; i++) n += (await tools.step()).length; return n;"
    )
    return await _carry(source, give, entries, expected=(count + 1) * len(records))


async def value_out(count: int) -> Measured:
    """The program passes the records to a tool, in ms per call."""
    entries: list[float] = []

    def take(argument: Any) -> int:
        entries.append(time.perf_counter())
        return len(argument["records"])

    source = (
        f"{RECORDS} let n = 0; for (let i = 0; i <= {count}; i++) "
        "n += await tools.step({records}); return n;"
    )
    return await _carry(source, take, entries, expected=(count + 1) * 5200)


async def _carry(
    source: str, work: Callable[[Any], Any], entries: list[float], *, expected: int
) -> Measured:
    async with Pool(size=1, spares=0) as pool:
        outcome = await pool.run(source, tools=[_tool("inline", work)], tenant="bench")
    measured = Measured(samples=_steps(entries, 1e3))
    _check(measured, outcome)
    measured.errors += outcome.is_completed and outcome.value != expected
    measured.facts["encoded_mib"] = round(len(msgpack.packb(_records())) / MIB, 2)
    return measured
