"""What the parts cost without the engine: nothing built on them can be faster."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

from deno import find_deno_bin

from benchmarks.measured import Measured

PROGRAMS = Path(__file__).parent.parent / "programs"
MESSAGE = b"x" * 64


def _command(program: str) -> list[str]:
    return [find_deno_bin(), "run", "--no-config", "--no-lock", str(PROGRAMS / program)]


async def deno_run(count: int) -> Measured:
    """Start Deno on an empty file and wait for its end, in ms. The first start is not counted."""
    measured = Measured()
    for number in range(count + 1):
        began = time.perf_counter()
        code = subprocess.run(_command("empty.js"), check=False).returncode
        if code:
            measured.errors += 1
        elif number:
            measured.samples.append((time.perf_counter() - began) * 1e3)
    return measured


async def pipe_echo(count: int) -> Measured:
    """Write 64 bytes to a Deno loop and read them back, in µs."""
    measured = Measured()
    with subprocess.Popen(
        _command("echo.js"), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as echo:
        assert echo.stdin is not None
        assert echo.stdout is not None
        there, back = echo.stdin.fileno(), echo.stdout.fileno()
        _exchange(there, back)
        for _ in range(count):
            began = time.perf_counter()
            _exchange(there, back)
            measured.samples.append((time.perf_counter() - began) * 1e6)
        echo.stdin.close()
    measured.errors += echo.returncode != 0
    return measured


def _exchange(there: int, back: int) -> None:
    os.write(there, MESSAGE)
    missing = len(MESSAGE)
    while missing:
        missing -= len(os.read(back, missing))
