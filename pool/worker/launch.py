"""What is executed to get a worker: command line, environment, directory, limits. Pure data.

A worker gets no permission of Deno's, inherits nothing of the host and knows nothing of it. The
text of programs never appears here: it travels through the pipe, as data.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from pool.worker.confine import UNCONFINED, Confinement

# First module of the guest runtime, relative to its directory.
ENTRY: Final = "main.js"

# Core dumps would write guest memory to disk. Deno panics below 32 descriptors and needs about
# 20; 64 leaves room and keeps a runaway small.
RLIMITS: Final[Mapping[str, tuple[int, int]]] = MappingProxyType(
    {"CORE": (0, 0), "NOFILE": (64, 64)}
)

# Bytes a worker may write to any file. Only for one that cannot open a cache for writing anyway.
_FILE_BYTES: Final = 0

# Processor time of a worker whose host stands still and so does not end it: beside the longest run
# what it may have used before, each second on as many processors as V8 has threads for.
_CPU_BEFORE_S: Final = 600
_CPU_THREADS: Final = 8

# A host that shares its processors with programs in endless loops still gets its turn at once.
NICENESS: Final = 10

# Below 8 MiB V8 does not come up. The kernel's limit holds programs to less, if they may have less.
_LEAST_HEAP_MIB: Final = 16

# Nothing of it is used, but without a home Deno asks the system for one, by a socket.
_HOME: Final = "/"

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
        niceness: Added to the host's own; what has a higher one waits for the others.
        confinement: What takes its rights away.
        sealed: Directories in which it must not be able to make a file.
    """

    argv: tuple[str, ...]
    env: Mapping[str, str]
    cwd: str
    rlimits: Mapping[str, tuple[int, int]]
    niceness: int = 0
    confinement: Confinement = UNCONFINED
    sealed: tuple[str, ...] = ()


def plan(
    *,
    deno: str,
    runtime_dir: str,
    cache_dir: str,
    memory_mib: int,
    timeout_s: int,
    jit: bool = True,
) -> Launch:
    """How to start a worker.

    Args:
        deno: Absolute path of the Deno binary.
        runtime_dir: Directory of the guest runtime.
        cache_dir: Deno's own directory; holds the code cache and nothing else.
        memory_mib: Largest memory limit of any run of the pool. V8 keeps its heap below it; the
            kernel's limit, which counts everything, is set once the worker is ready.
        timeout_s: Longest time-out of any run of the pool.
        jit: Whether V8 may make machine code of programs; without it they run several times
            slower, and its compilers cannot be attacked.
    """
    v8_flags = (
        # A second belt: even a leaked constructor of outer functions compiles nothing.
        "--disallow-code-generation-from-strings",
        f"--max-old-space-size={max(memory_mib, _LEAST_HEAP_MIB)}",
        *(() if jit else ("--jitless",)),
    )
    cpu_s = (_CPU_BEFORE_S + timeout_s) * _CPU_THREADS
    return Launch(
        argv=(
            deno,
            "run",
            *_DENO_FLAGS,
            f"--v8-flags={','.join(v8_flags)}",
            f"{runtime_dir}/{ENTRY}",
        ),
        env={**_ENVIRONMENT, "DENO_DIR": cache_dir, "HOME": _HOME},
        cwd=_HOME,
        rlimits={**RLIMITS, "CPU": (cpu_s, cpu_s)},
        niceness=NICENESS,
    )


def confined(launch: Launch, confinement: Confinement) -> Launch:
    """The same worker with its rights taken away. It may no longer write where it could before."""
    if confinement.rules is None:
        return replace(launch, confinement=confinement)
    return replace(
        launch,
        rlimits={**launch.rlimits, "FSIZE": (_FILE_BYTES, _FILE_BYTES)},
        confinement=confinement,
        sealed=(launch.env["DENO_DIR"], launch.env["HOME"]),
    )
