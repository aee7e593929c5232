"""`codepool doctor`: which versions meet here, and what works on this machine.

Every line is tried, not assumed: the last one starts a worker and runs a program. What this
version does not enforce anywhere is named too, so that silence never looks like protection.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import anyio
import typer

from pool.engine import Pool
from pool.errors import CodepoolError, WorkerFault
from pool.limits import Limits
from pool.program.outcome import Outcome, Reason
from pool.worker.cache_files import user_cache_dir
from pool.worker.deno import find_deno, runtime_dir

SUM: Final = "return 1 + 1"

# Eight times what the run may use; whoever stops it first says so.
MEMORY_MIB: Final = 64
GREEDY: Final = """
try {
  const kept = [];
  for (let i = 0; i < 64; i++) kept.push(new Uint8Array(8 << 20).fill(1));
  return "unlimited";
} catch (error) {
  return error.name;
}
"""

LIBRARIES: Final = ("anyio", "msgpack", "psutil")

# Long enough for the slowest `deno --version`; see `pool.worker.deno`.
VERSION_TIMEOUT_S: Final = 10.0

NOT_ENFORCED: Final = (
    "Landlock, seccomp and user ids: workers are held by Deno's permissions and rlimits only"
)


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report."""

    subject: str
    detail: str
    works: bool = True


def doctor() -> None:
    """Print versions and what works here.

    Exit code: 0 when everything works, 1 when something does not.
    """
    findings = list(_examine())
    for finding in findings:
        print(f"{'ok' if finding.works else 'NO':<4}{finding.subject:<18}{finding.detail}")
    print(f"{'--':<4}{'not enforced':<18}{NOT_ENFORCED}")
    raise typer.Exit(0 if all(finding.works for finding in findings) else 1)


def _examine() -> Iterator[Finding]:
    # Not at the top: `codepool run` imports this module and should start fast.
    from importlib.metadata import version

    yield Finding("codepool", version("codepool"))
    yield Finding("python", f"{platform.python_version()} at {sys.executable}")
    yield Finding("system", f"{platform.system()} {platform.release()} {platform.machine()}")
    yield Finding("libraries", ", ".join(f"{name} {version(name)}" for name in LIBRARIES))
    for subject, check in (
        ("deno", _deno),
        ("guest runtime", _guest_runtime),
        ("code cache", _code_cache),
        ("pidfd", _pidfd),
        ("a program", _program),
        ("memory limit", _memory_limit),
    ):
        yield _try(subject, check)


def _try(subject: str, check: Callable[[], str]) -> Finding:
    """Carry out one check; whatever it raises on purpose is what does not work."""
    try:
        return Finding(subject, check())
    except (CodepoolError, OSError, subprocess.SubprocessError) as error:
        return Finding(subject, f"{type(error).__name__}: {error}", works=False)


def _deno() -> str:
    found = find_deno()
    said = subprocess.run(  # noqa: S603 (the path is the package's own)
        [found.path, "--version"], capture_output=True, text=True, timeout=VERSION_TIMEOUT_S
    )
    v8 = next((line for line in said.stdout.splitlines() if line.startswith("v8 ")), "v8 unknown")
    return f"{found.version} ({v8}) at {found.path}"


def _guest_runtime() -> str:
    directory = runtime_dir()
    if not any(directory.glob("*.js")):
        raise FileNotFoundError(f"no JavaScript in {directory}")
    return str(directory)


def _code_cache() -> str:
    directory = user_cache_dir(os.environ)
    return "temporary, made for each pool" if directory is None else str(directory)


def _pidfd() -> str:
    if not hasattr(os, "pidfd_open"):
        raise OSError("needs Linux 5.3 or later")
    os.close(os.pidfd_open(os.getpid()))
    return "processes can be waited for and killed without a race"


def _program() -> str:
    outcome = _run(SUM)
    if outcome.value != 2:
        raise WorkerFault(f"{SUM!r} gave {outcome.to_dict()}")
    timings = outcome.timings
    return f"ran in {timings.total_ms:.0f} ms, {timings.queue_ms:.0f} ms of it to start a worker"


def _memory_limit() -> str:
    outcome = _run(GREEDY, memory_mib=MEMORY_MIB)
    if outcome.value == "RangeError":
        return "the kernel refuses what is above it"
    if outcome.reason is Reason.MEMORY:
        return "a program above it is killed"
    raise WorkerFault(f"a program took eight times its {MEMORY_MIB} MiB")


def _run(source: str, **limits: int) -> Outcome:
    async def run() -> Outcome:
        async with Pool(size=1, spares=0, limits=Limits(**limits)) as pool:
            return await pool.run(source)

    return anyio.run(run)
