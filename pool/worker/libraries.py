"""Which shared libraries a program loads, and by which loader.

Asks the loader itself, the way ldd does: whatever it finds by its cache, its directories and the
program's own paths is what a worker will open.
"""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass
from typing import Final

from pool.errors import ConfinementUnavailable

# `libc.so.6 => /lib/…/libc.so.6 (0x…)` for libraries, `/lib64/ld-….so.2 (0x…)` for the loader.
_LINE: Final = re.compile(r"^\t(?:(?P<name>\S+) => )?(?P<path>/.+) \(0x[0-9a-f]+\)$", re.MULTILINE)

# It takes 5 ms; the loader only maps files.
_TIMEOUT_S: Final = 10.0


@dataclass(frozen=True, slots=True)
class Linked:
    """What is loaded with a program: its loader and its libraries, absolute and resolved."""

    loader: str
    libraries: tuple[str, ...]


def linked_with(program: str) -> Linked:
    """Ask the loader of `program` what it would load. Blocks for some milliseconds.

    Raises:
        ConfinementUnavailable: It is not linked dynamically against glibc, or does not load.
    """
    try:
        said = subprocess.run(  # noqa: S603 (the loader answers, the program does not run)
            [program],
            env={"LD_TRACE_LOADED_OBJECTS": "1"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=True,
            timeout=_TIMEOUT_S,
        )
        return parse_trace(said.stdout.decode("utf-8", "surrogateescape"))
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        raise ConfinementUnavailable(f"the libraries of {program} are unknown: {error}") from error


def parse_trace(trace: str) -> Linked:
    """Read what a traced loader prints.

    Raises:
        ValueError: No loader in it: the program is linked statically, or said something else.
    """
    found = [match.groups() for match in _LINE.finditer(trace)]
    loaders = [path for name, path in found if name is None]
    if len(loaders) != 1:
        raise ValueError("no trace of a loader")
    libraries = sorted({os.path.realpath(path) for name, path in found if name is not None})
    return Linked(os.path.realpath(loaders[0]), tuple(libraries))
