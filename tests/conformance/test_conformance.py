"""Every row of `cases.jsonl`, in a process of its own and in reused ones."""

from __future__ import annotations

import os
import re
from functools import partial
from pathlib import Path
from typing import Final

import anyio
import pytest

from pool import Pool
from pool.conformance.rows import Row, read_rows
from pool.conformance.runner import Result, run_rows

FILE: Final = Path(__file__).parent / "cases.jsonl"
CASES: Final = read_rows(FILE)
SECTIONS: Final = "STVOBL"
MODES: Final = {"single-use": None, "tenant": "conformance"}

# All rows run in the set-up of the first test of a mode.
pytestmark = pytest.mark.timeout(180)


@pytest.fixture(scope="module", params=MODES.values(), ids=MODES.keys())
def results(request: pytest.FixtureRequest) -> dict[str, Result]:
    """What came of each row, by its id."""
    return {result.row.id: result for result in anyio.run(partial(_run_all, request.param))}


async def _run_all(tenant: str | None) -> tuple[Result, ...]:
    size = os.cpu_count() or 1
    async with Pool(size=size, spares=size) as pool:
        return await run_rows(pool, CASES, at_once=size, tenant=tenant)


@pytest.mark.parametrize("id", [row.id for row in CASES])
def test_a_row_holds(results: dict[str, Result], id: str):
    assert results[id].differences == ()


def _place(row: Row) -> tuple[int, int, str]:
    section, number = re.match(r"(\w)-?(\d*)", row.id).groups()
    return SECTIONS.index(section), int(number or 0), row.id


def test_rows_stand_in_the_order_of_the_specification():
    assert sorted(CASES, key=_place) == list(CASES)


def test_patterns_use_no_syntax_that_only_python_has():
    patterns = re.findall(r'"\$matches": "((?:[^"\\]|\\.)*)"', FILE.read_text(encoding="utf-8"))

    assert [pattern for pattern in patterns if re.search(r"\(\?[^:=!]", pattern)] == []
