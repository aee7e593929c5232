"""`codepool run`: one program, one outcome, one exit code.

Reads the program and the tools, runs them on a pool of one worker, prints. The exit codes are in
`exits.py`; a signal cancels the run, waits until its process is gone, and still prints what the
program had shown by then.
"""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Final

import anyio
import typer
from anyio.abc import TaskStatus

from pool.cli.exits import (
    SIGNAL_BASE,
    ExitCode,
    WrongUse,
    complain,
    of_outcome,
)
from pool.cli.progress import progress_line
from pool.cli.result import write
from pool.cli.sources import (
    AllowBash,
    ApiFiles,
    McpFiles,
    Named,
    ToolFiles,
    Workspace,
    named_sources,
    opened,
)
from pool.engine import DEFAULT_CONFINEMENT, Confinement, Pool
from pool.errors import CodepoolError, Unavailable, UsageError
from pool.limits import Limits
from pool.program.outcome import Outcome, ProgramError, Reason, Status
from pool.program.render import render
from pool.run import Event, Run

STDIN: Final = "-"
STOP_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass(frozen=True, slots=True)
class _Job:
    """What the command line asked for, checked."""

    source: bytes
    sources: Named
    limits: Limits
    tenant: str | None
    confinement: Confinement


def run(
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="The program; - is stdin.")],
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the outcome as one JSON document.")
    ] = False,
    tools: ToolFiles = None,
    workspace: Workspace = None,
    allow_bash: AllowBash = False,
    mcp: McpFiles = None,
    openapi: ApiFiles = None,
    timeout_ms: Annotated[
        int | None, typer.Option(metavar="N", help="Wall time of the run, the start included.")
    ] = None,
    memory_mib: Annotated[
        int | None, typer.Option(metavar="N", help="Everything the program allocates.")
    ] = None,
    tenant: Annotated[
        str | None, typer.Option(metavar="T", help="Key under which a process may be reused.")
    ] = None,
    confinement: Annotated[
        Confinement,
        typer.Option(help="Without a layer of the kernel's: refuse, go on, or want none."),
    ] = DEFAULT_CONFINEMENT,
) -> None:
    """Run one program and print its outcome.

    Output above the budget is whole in a file that the outcome names; images are files too. They
    stay until they are a day old.

    Exit code: 0 completed, 1 program failed, 2 wrong use, 3 unavailable.
    """
    try:
        job = _Job(
            source=_read_source(file),
            sources=named_sources(tools, workspace, mcp, openapi, allow_bash=allow_bash),
            limits=_limits(timeout_ms=timeout_ms, memory_mib=memory_mib),
            tenant=tenant,
            confinement=confinement,
        )
        # What tools print must not mix with the result.
        with redirect_stdout(sys.stderr), progress_line() as saw:
            outcome, stopped_by = anyio.run(partial(_run, job, saw))
    except (WrongUse, UsageError) as error:
        complain(error)
        raise typer.Exit(ExitCode.WRONG_USE) from error
    except Unavailable as error:
        complain(error)
        outcome, stopped_by = _unavailable(error), 0
    write(json.dumps(outcome.to_dict(), ensure_ascii=False) if as_json else render(outcome).text)
    raise typer.Exit(SIGNAL_BASE + stopped_by if stopped_by else of_outcome(outcome))


def _read_source(file: str) -> bytes:
    try:
        return sys.stdin.buffer.read() if file == STDIN else Path(file).read_bytes()
    except OSError as error:
        raise WrongUse(f"cannot read {file}: {error.strerror}") from error


def _limits(**wanted: int | None) -> Limits:
    return Limits(**{name: value for name, value in wanted.items() if value is not None})


async def _run(job: _Job, saw: Callable[[Event], None]) -> tuple[Outcome, int]:
    """Run the job to its end.

    Returns:
        The outcome, and the signal that stopped the run; 0 when none did.

    Raises:
        UsageError: The run cannot be made as asked.
        Unavailable: No pool could be opened.
    """
    stopped_by = 0
    outcome = Outcome(status=Status.FAILED, reason=Reason.CANCELLED)
    run: Run | None = None

    async def heed_signals(*, task_status: TaskStatus[None]) -> None:
        nonlocal stopped_by
        with anyio.open_signal_receiver(*STOP_SIGNALS) as signals:
            task_status.started()
            async for number in signals:
                stopped_by = stopped_by or number
                if run is None:
                    starting.cancel()
                else:
                    run.cancel()

    failure: CodepoolError | None = None
    async with anyio.create_task_group() as watch:
        starting = anyio.CancelScope()
        await watch.start(heed_signals)
        try:
            with starting:
                async with (
                    Pool(size=1, spares=0, limits=job.limits, confinement=job.confinement) as pool,
                    opened(job.sources) as sources,
                ):
                    for name in sources.unconnected:
                        complain(f"the MCP server {name} is not connected; its tools are missing")
                    async with pool.start(
                        job.source,
                        tools=sources.tools,
                        namespaces=sources.namespaces,
                        tenant=job.tenant,
                    ) as run:
                        async for event in run:
                            saw(event)
                        outcome = await run.outcome()
        except CodepoolError as error:
            # Raised again below: the task group would wrap it in a group.
            failure = error
        watch.cancel_scope.cancel()
    if failure is not None:
        raise failure
    return outcome, stopped_by


def _unavailable(error: Unavailable) -> Outcome:
    """The outcome of a run that no pool could be opened for: a reader of --json gets a document."""
    return Outcome(
        status=Status.FAILED,
        reason=Reason.UNAVAILABLE,
        error=ProgramError(name="Unavailable", message=str(error)),
    )
