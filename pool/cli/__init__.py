"""The command line: `codepool run`, `mcp`, `tools`, `conformance` and `doctor`.

A thin door: it reads arguments and files, calls the same `Pool` that every other caller uses, and
turns what came of it into text and an exit code. Results go to standard output, everything else
to standard error, so that a pipe receives the result and nothing more.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import Annotated

import typer

from pool.cli.conformance import conformance
from pool.cli.doctor import doctor
from pool.cli.exits import SIGNAL_BASE
from pool.cli.mcp import mcp
from pool.cli.run import run
from pool.cli.tools import app as tools

# Plain text in messages and help: it reads the same in a terminal, a pipe and a log, and spares
# each run the import of rich.
app = typer.Typer(
    name="codepool",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.command()(run)
app.command()(mcp)
app.add_typer(tools, name="tools")
app.command()(conformance)
app.command()(doctor)


def main() -> None:
    """Entry point of the `codepool` command; ends the process with the command's exit code."""
    _open_closed_streams()
    try:
        app(prog_name="codepool")
    except KeyboardInterrupt:
        # Before a run heeds signals itself.
        sys.exit(SIGNAL_BASE + signal.SIGINT)


def _open_closed_streams() -> None:
    """Have a standard stream that the caller has closed read or write nothing."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))


def _print_version(wanted: bool) -> None:
    if wanted:
        # Not at the top: `codepool run` does not need it and should start fast.
        from importlib.metadata import version

        print(f"codepool {version('codepool')}")
        raise typer.Exit


@app.callback()
def _codepool(
    _version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """Run a model's JavaScript program in a locked-down process that can call your tools."""
