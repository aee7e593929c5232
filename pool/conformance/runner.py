"""Rows run on one pool, several at a time, each with tools of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import anyio

from pool.conformance.expect import unmet
from pool.conformance.patterns import Difference
from pool.conformance.rows import Row
from pool.conformance.scripted import scripted
from pool.engine import Pool
from pool.errors import UsageError
from pool.limits import Limits
from pool.program.outcome import Outcome
from pool.run import CallStarted


@dataclass(frozen=True, slots=True)
class Result:
    """What came of one row; it holds when there are no differences."""

    row: Row
    differences: tuple[Difference, ...]

    @property
    def holds(self) -> bool:
        return not self.differences


async def run_rows(
    pool: Pool, rows: Sequence[Row], *, at_once: int, tenant: str | None = None
) -> tuple[Result, ...]:
    """Run every row once.

    Args:
        at_once: Rows on their way at any time. No more than the pool's size: a row's time limit
            covers its wait for a worker.
        tenant: Of every run; None has each one served by a process of its own.

    Returns:
        One result for each row, in the order of the rows.

    Cancellation:
        Cancels the runs on their way, and waits until they are gone.
    """
    results: dict[str, Result] = {}
    waiting = iter(rows)

    async def run_waiting() -> None:
        for row in waiting:
            results[row.id] = Result(row, await _differences(pool, row, tenant))

    async with anyio.create_task_group() as tasks:
        for _ in range(at_once):
            tasks.start_soon(run_waiting)
    return tuple(results[row.id] for row in rows)


async def _differences(pool: Pool, row: Row, tenant: str | None) -> tuple[Difference, ...]:
    try:
        outcome = await _outcome(pool, row, tenant)
    except UsageError as error:
        return (Difference("run", "an outcome", str(error)),)
    try:
        return tuple(unmet(row.expect, outcome.to_dict()))
    finally:
        outcome.close()


async def _outcome(pool: Pool, row: Row, tenant: str | None) -> Outcome:
    async with pool.start(
        row.source,
        tools=scripted(row.tools),
        tenant=tenant,
        limits=Limits(**row.limits),
        store=row.store,
    ) as run:
        async for event in run:
            if isinstance(event, CallStarted) and event.name == row.cancel_at_call:
                run.cancel()
        return await run.outcome()
