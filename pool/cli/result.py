"""How a command writes its result: to standard output, whoever reads it."""

from __future__ import annotations

import os
import sys

import typer

from pool.cli.exits import ExitCode, complain


def write(text: str) -> None:
    """Write the result as UTF-8, whatever the locale.

    Tools may have handed over half a character. As a backslash escape it is still valid JSON.
    """
    try:
        sys.stdout.buffer.write(f"{text}\n".encode(errors="backslashreplace"))
        sys.stdout.buffer.flush()
    except OSError as error:
        # Keep the interpreter from flushing once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        # A reader that has gone has seen enough.
        if not isinstance(error, BrokenPipeError):
            complain(f"cannot write the result: {error.strerror}")
            raise typer.Exit(ExitCode.UNAVAILABLE) from error
