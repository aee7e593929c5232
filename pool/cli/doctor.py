"""`codepool doctor`: which versions meet here, and what works on this machine.

Every line is tried, not assumed: the last ones start a worker, run a program and set off a memory
bomb. A layer of confinement that is missing is named, with the reason and the way to get it.
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
from pool.worker.layers import LayerState, Profile, assess, check
from pool.worker.machine import inspect_machine
from pool.worker.reachable import shared_dir

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

LAYER_ROW: Final = "    {:<26}{:<8}{:<8}{}"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report."""

    subject: str
    detail: str
    works: bool = True


def doctor() -> None:
    """Print versions and what works here.

    Exit code: 0 when everything works, 1 when something does not or confinement="require" cannot
    be met.
    """
    layers = assess(inspect_machine(), Profile.REQUIRE)
    findings = [*_examine(), _confinement(layers)]
    for finding in findings:
        print(f"{'ok' if finding.works else 'NO':<4}{finding.subject:<18}{finding.detail}")
    print()
    print(LAYER_ROW.format("layer", "wanted", "active", "what it protects"))
    for state in layers:
        print(_layer_row(state))
    raise typer.Exit(0 if all(finding.works for finding in findings) else 1)


def _layer_row(state: LayerState) -> str:
    wanted, active = ("yes" if flag else "no" for flag in (state.is_wanted, state.is_active))
    detail = f"{state.protects}; not active: {state.why_not}" if state.why_not else state.protects
    return LAYER_ROW.format(state.layer, wanted, active, detail)


def _confinement(layers: tuple[LayerState, ...]) -> Finding:
    def meet_require() -> str:
        check(layers, Profile.REQUIRE)
        return "every required layer is there, and workers attest to it when they start"

    return _try("confinement", meet_require)


def _examine() -> Iterator[Finding]:
    # Not at the top: `codepool run` imports this module and should start fast.
    from importlib.metadata import version

    yield Finding("codepool", version("codepool"))
    yield Finding("python", f"{platform.python_version()} at {sys.executable}")
    yield Finding("system", f"{platform.system()} {platform.release()} {platform.machine()}")
    yield Finding("libraries", ", ".join(f"{name} {version(name)}" for name in LIBRARIES))
    for subject, attempt in (
        ("deno", _deno),
        ("guest runtime", _guest_runtime),
        ("code cache", _code_cache),
        ("pidfd", _pidfd),
        ("a program", _program),
        ("memory limit", _memory_limit),
    ):
        yield _try(subject, attempt)


def _try(subject: str, attempt: Callable[[], str]) -> Finding:
    """Carry out one check; whatever it raises on purpose is what does not work."""
    try:
        return Finding(subject, attempt())
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
    # Workers of root are another user, who cannot reach what is in root's home.
    directory = shared_dir() if os.geteuid() == 0 else user_cache_dir(os.environ)
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
    return f"ran in {outcome.timings.total_ms:.0f} ms, on a worker that was ready"


def _memory_limit() -> str:
    outcome = _run(GREEDY, memory_mib=MEMORY_MIB)
    if outcome.value == "RangeError":
        return "the kernel refuses what is above it"
    if outcome.reason is Reason.MEMORY:
        return "a program above it is killed"
    raise WorkerFault(f"a program took eight times its {MEMORY_MIB} MiB")


def _run(source: str, **limits: int) -> Outcome:
    async def run() -> Outcome:
        pool_limits = Limits(**limits)
        # As far as it goes: what is missing has a line of its own.
        async with Pool(size=1, spares=0, confinement="auto", limits=pool_limits) as pool:
            return await pool.run(source)

    return anyio.run(run)
