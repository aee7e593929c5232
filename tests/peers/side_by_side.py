"""`make peers`: the conformance rows here and in another implementation, and where they differ.

    python tests/peers/side_by_side.py DIRECTORY

DIRECTORY is where npm installed the peer. Prints Markdown. Exit code 1 when a row does not hold
here, a difference has no reason in `intended.toml`, or a reason has no difference.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import anyio
from intended import Explained, Intended, explain, idle, read_intended
from pi_codemode import beyond, outcomes, versions

from pool import Pool
from pool.conformance.expect import unmet
from pool.conformance.patterns import Difference
from pool.conformance.rows import Row, read_rows
from pool.conformance.runner import Result, run_rows

HERE: Final = Path(__file__).parent
ROWS: Final = HERE.parent / "conformance" / "cases.jsonl"
INTENDED: Final = HERE / "intended.toml"


def main(directory: Path) -> int:
    """Run both sides; returns the exit code."""
    sys.stdout.reconfigure(errors="backslashreplace")  # a peer may hand out half a character
    sys.stderr.reconfigure(errors="backslashreplace")
    intended = read_intended(INTENDED)
    rows = read_rows(ROWS)
    asked = [row for row in rows if beyond(row) is None]
    answers = outcomes(asked, directory)
    found = {row.id: tuple(unmet(row.expect, answers[row.id])) for row in asked}
    explained = tuple(explain(found, intended))
    here = anyio.run(partial(_run_here, asked))
    print(versions(directory), end="\n\n")
    print(*_sums(rows, here, explained), "", sep="\n")
    print(*_beyond(rows), "", sep="\n")
    print(*_reasons(intended, explained), sep="\n")
    findings = [*_findings(explained, intended), *_broken(here)]
    for finding in findings:
        print(finding, file=sys.stderr)
    return 1 if findings else 0


async def _run_here(rows: Sequence[Row]) -> tuple[Result, ...]:
    size = os.cpu_count() or 1
    async with Pool(size=size, spares=size) as pool:
        return await run_rows(pool, rows, at_once=size)


def _sums(
    rows: Sequence[Row], here: Sequence[Result], explained: Sequence[Explained]
) -> Iterator[str]:
    differing = len({each.id for each in explained})
    yield "| rows | |"
    yield "|---|---|"
    yield f"| in the file | {len(rows)} |"
    yield f"| understood by both | {len(here)} |"
    yield f"| of these, as expected here | {sum(result.holds for result in here)} |"
    yield f"| as expected there | {len(here) - differing} |"
    yield f"| different there | {differing} |"


def _beyond(rows: Sequence[Row]) -> Iterator[str]:
    yield "| not understood there: what uses | rows |"
    yield "|---|---|"
    for feature, count in Counter(filter(None, map(beyond, rows))).most_common():
        yield f"| {feature} | {count} |"


def _reasons(intended: Sequence[Intended], explained: Sequence[Explained]) -> Iterator[str]:
    """A row that differs for several reasons counts for each of them."""
    rows = Counter(reason for reason, _ in {(each.reason, each.id) for each in explained})
    yield "| kind | different there | rows |"
    yield "|---|---|---|"
    for each in intended:
        yield f"| {each.kind} | {each.reason} | {rows[each]} |"


def _findings(explained: Sequence[Explained], intended: Sequence[Intended]) -> Iterator[str]:
    for each in explained:
        if each.reason is None:
            yield f"{each.id}: differs there without a reason: {_shown(each.difference)}"
    for reason, pattern in idle(explained, intended):
        yield f"{pattern}: no difference is left for the reason: {reason.reason}"


def _broken(here: Sequence[Result]) -> Iterator[str]:
    for result in here:
        for each in result.differences:
            yield f"{result.row.id}: does not hold here: {_shown(each)}"


def _shown(each: Difference) -> str:
    return f"{each.path}: wanted {each.wanted}, found {each.found}"


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
