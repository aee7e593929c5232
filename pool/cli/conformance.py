"""`codepool conformance`: rows of a file, run here, and what each of them says.

One line a row; below a row that does not hold, every difference. The format of the file is
docs/conformance.md. Exit code: 0 every row holds, 1 one does not, 2 wrong use, 3 unavailable.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import anyio
import typer

from pool.cli.exits import ExitCode, complain
from pool.cli.result import write
from pool.engine import DEFAULT_CONFINEMENT, Confinement, Pool
from pool.errors import Unavailable, UsageError

if TYPE_CHECKING:
    from pool.conformance.rows import Row
    from pool.conformance.runner import Result


def conformance(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Rows, one JSON object a line.")],
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the results as one JSON document.")
    ] = False,
    tenant: Annotated[
        str | None,
        typer.Option(metavar="T", help="Reuse processes under this key; else one for each row."),
    ] = None,
    confinement: Annotated[
        Confinement,
        typer.Option(help="Without a layer of the kernel's: refuse, go on, or want none."),
    ] = DEFAULT_CONFINEMENT,
) -> None:
    """Run the rows of a conformance file and print which of them hold.

    Exit code: 0 every row holds, 1 one does not, 2 wrong use, 3 unavailable.
    """
    # Not at the top: pydantic, which no other command needs before it runs.
    from pool.conformance.rows import read_rows

    try:
        results = anyio.run(partial(_run, read_rows(file), tenant, confinement))
    except UsageError as error:
        complain(error)
        raise typer.Exit(ExitCode.WRONG_USE) from error
    except Unavailable as error:
        complain(error)
        raise typer.Exit(ExitCode.UNAVAILABLE) from error
    write(json.dumps(_document(results)) if as_json else "\n".join(_table(results)))
    is_held = all(result.holds for result in results)
    raise typer.Exit(ExitCode.COMPLETED if is_held else ExitCode.FAILED)


async def _run(
    rows: Sequence[Row], tenant: str | None, confinement: Confinement
) -> tuple[Result, ...]:
    from pool.conformance.runner import run_rows

    size = os.cpu_count() or 1
    async with Pool(size=size, spares=size, confinement=confinement) as pool:
        return await run_rows(pool, rows, at_once=size, tenant=tenant)


def _document(results: Sequence[Result]) -> dict[str, Any]:
    return {
        "held": sum(result.holds for result in results),
        "rows": [
            {
                "id": result.row.id,
                "spec": result.row.promises,
                "ok": result.holds,
                "differences": [
                    {"path": each.path, "wanted": each.wanted, "found": each.found}
                    for each in result.differences
                ],
            }
            for result in results
        ],
    }


def _table(results: Sequence[Result]) -> Iterator[str]:
    width = max(len(result.row.id) for result in results)
    for result in results:
        mark = "ok" if result.holds else "FAIL"
        yield f"{mark:<6}{result.row.id:<{width}}  {' '.join(result.row.promises)}"
        for each in result.differences:
            yield f"        {each.path}: wanted {each.wanted}"
            yield f"        {'':<{len(each.path)}}  found  {each.found}"
    held = sum(result.holds for result in results)
    yield ""
    yield f"{len(results)} rows, {held} hold, {len(results) - held} do not"
