"""Pools for acceptance tests: real workers, nothing scripted.

Tests of what a program sees share one blocking pool per module. Tests of pools, runs and processes
open their own, under both event loops.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from pool import BlockingPool, Outcome

RunProgram = Callable[..., Outcome]
Evaluate = Callable[..., Any]


@pytest.fixture(scope="module")
def shared_pool() -> Iterator[BlockingPool]:
    with BlockingPool(size=1, spares=1) as pool:
        yield pool


@pytest.fixture
def run(shared_pool: BlockingPool) -> RunProgram:
    """Runs a program on the module's pool, in a reused worker unless the test names a tenant."""

    def run_program(source: str | bytes, **options: Any) -> Outcome:
        return shared_pool.run(source, **{"tenant": "tests", **options})

    return run_program


@pytest.fixture
def evaluate(run: RunProgram) -> Evaluate:
    """Runs a program that has to complete, and gives what it returned."""

    def value_of(source: str, **options: Any) -> Any:
        outcome = run(source, **options)
        assert outcome.is_completed, outcome.error
        return outcome.value

    return value_of
