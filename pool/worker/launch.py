"""What is executed to get a worker: command line, environment, directory, limits. Pure data.

A worker gets no permission of Deno's, inherits nothing of the host and knows nothing of it. The
text of programs never appears here: it travels through the pipe, as data.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

# First module of the guest runtime, relative to its directory.
ENTRY: Final = "main.js"

# Core dumps would write guest memory to disk. Deno panics below 32 descriptors and needs about
# 20; 64 leaves room and keeps a runaway small.
RLIMITS: Final[Mapping[str, tuple[int, int]]] = MappingProxyType(
    {"CORE": (0, 0), "NOFILE": (64, 64)}
)

_DENO_FLAGS: Final = (
    "--no-prompt",  # a missing permission is an error, not a question on a terminal
    "--no-remote",
    "--no-npm",
    "--no-config",
    "--no-lock",
)

_ENVIRONMENT: Final[Mapping[str, str]] = MappingProxyType(
    {
        "TZ": "UTC",
        "LANG": "en_US.UTF-8",
        "LC_ALL": "en_US.UTF-8",
        "NO_COLOR": "1",
        "DENO_NO_UPDATE_CHECK": "1",  # else a look-up of a host name at boot
        "DENO_NO_PACKAGE_JSON": "1",
    }
)


@dataclass(frozen=True, slots=True)
class Launch:
    """One command to execute.

    Attributes:
        argv: The program's absolute path and its arguments.
        env: The whole environment.
        cwd: Directory to start in.
        rlimits: Soft and hard limit by the name that follows `RLIMIT_`.
    """

    argv: tuple[str, ...]
    env: Mapping[str, str]
    cwd: str
    rlimits: Mapping[str, tuple[int, int]]


def plan(*, deno: str, runtime_dir: str, cache_dir: str, cwd: str, memory_mib: int) -> Launch:
    """How to start a worker.

    Args:
        deno: Absolute path of the Deno binary.
        runtime_dir: Directory of the guest runtime.
        cache_dir: Deno's own directory; holds the code cache and nothing else.
        cwd: An empty directory; it is the worker's home, too.
        memory_mib: Largest memory limit of any run of the pool. V8 keeps its heap below it; the
            kernel's limit, which counts everything, is set once the worker is ready.
    """
    v8_flags = (
        # A second belt: even a leaked constructor of outer functions compiles nothing.
        "--disallow-code-generation-from-strings",
        f"--max-old-space-size={memory_mib}",
    )
    return Launch(
        argv=(
            deno,
            "run",
            *_DENO_FLAGS,
            f"--v8-flags={','.join(v8_flags)}",
            f"{runtime_dir}/{ENTRY}",
        ),
        env={**_ENVIRONMENT, "DENO_DIR": cache_dir, "HOME": cwd},
        cwd=cwd,
        rlimits=RLIMITS,
    )
