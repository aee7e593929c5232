"""Which Deno is used, and where the guest runtime lies.

The binary is the one of the PyPI package `deno`, so that its version is what the lock file says;
nothing is looked up on PATH. Its own word on its version is what counts, not the package's.
"""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import deno  # type: ignore[import-untyped]  # the wheel ships no py.typed

from pool.errors import DenoUnsupported

REQUIRED: Final = ">=2.9.4,<2.10"
_LOWEST: Final = (2, 9, 4)
_TOO_HIGH: Final = (2, 10, 0)

_FIX: Final = f"pip install 'deno{REQUIRED}'"

# Printing the version takes 6 ms.
_VERSION_TIMEOUT_S: Final = 10.0

_PACKAGE_DIR: Final = Path(__file__).parents[1]


@dataclass(frozen=True, slots=True)
class Deno:
    """A Deno binary of a supported version."""

    path: str
    version: str


def find_deno() -> Deno:
    """Find the binary and ask it for its version. Blocks for some milliseconds.

    Raises:
        DenoUnsupported: There is none, it does not run, or its version is out of range.
    """
    try:
        path = deno.find_deno_bin()
    except FileNotFoundError as error:
        raise DenoUnsupported(f"no Deno binary at {error}; fix: {_FIX}") from error
    try:
        said = subprocess.run(  # noqa: S603 (the path is the package's own)
            [path, "--version"],
            env={},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=True,
            timeout=_VERSION_TIMEOUT_S,
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise DenoUnsupported(f"Deno at {path} does not run: {error}; fix: {_FIX}") from error
    return Deno(path, check_version(said.stdout.decode("utf-8", "replace"), path=path))


def check_version(said: str, *, path: str) -> str:
    """The version in the output of `deno --version`, if it is one that Codepool supports.

    Pre-releases are not: their version says little about what is in them.

    Raises:
        DenoUnsupported: The message names the version found, the range and the fix.
    """
    found = said.partition("\n")[0].removeprefix("deno ").partition(" ")[0]
    numbers = re.fullmatch(r"(\d+)\.(\d+)\.(\d+)", found)
    if numbers is None or not _LOWEST <= tuple(map(int, numbers.groups())) < _TOO_HIGH:
        raise DenoUnsupported(
            f"Deno {found or '(unknown)'} at {path} is not supported, "
            f"Codepool needs {REQUIRED}; fix: {_FIX}"
        )
    return found


def runtime_dir() -> Path:
    """Directory of the guest runtime: in the package when installed, beside it in a checkout."""
    installed = _PACKAGE_DIR / "runtime_js"
    return installed if installed.is_dir() else _PACKAGE_DIR.with_name("runtime_js")
