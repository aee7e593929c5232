"""The command as a user starts it: arguments and stdin in, streams and exit code out."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

COMMAND = (sys.executable, "-m", "pool.cli")

Codepool = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def codepool(tmp_path: Path) -> Codepool:
    """Run `codepool` with arguments in an empty directory; `stdin` is the program."""

    def run(
        *arguments: str, stdin: str = "", under: tuple[str, ...] = ()
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*under, *COMMAND, *arguments],
            input=stdin,
            capture_output=True,
            encoding="utf-8",
            cwd=tmp_path,
            timeout=15,
        )

    return run
