"""Processes under the layers of a worker, one by one or all together."""

from __future__ import annotations

import json
import platform
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import pool
from pool.worker.confine import Confinement
from pool.worker.landlock import Rules, kernel_abi
from pool.worker.launch import Launch
from pool.worker.seccomp import architecture, compile_filter

CHILD = Path(__file__).with_name("confined_child.py")
PACKAGE = Path(pool.__file__).parent

# Deno boots in 0.1 s on a busy machine; the longest program here turns for 2.5 s.
TIMEOUT_S = 15.0

SCOPES_ABI = 6


def landlock_abi() -> int:
    """Version of Landlock here; 0 without one."""
    try:
        return kernel_abi()
    except OSError:
        return 0


needs_landlock = pytest.mark.skipif(not landlock_abi(), reason="this kernel has no Landlock")


def filter_of_this_machine() -> bytes:
    target = architecture(platform.machine())
    assert target is not None
    return compile_filter(target, is_scoped=landlock_abi() >= SCOPES_ABI)


def run_deno(
    launch: Launch,
    confinement: Confinement,
    *,
    sealed: Sequence[str] | None = None,
) -> subprocess.CompletedProcess[str]:
    """Execute a launch to its end. With `sealed` it attests first."""
    order = {"argv": launch.argv, "env": dict(launch.env)}
    return _run(order, confinement, cwd=launch.cwd, sealed=sealed)


def run_python(
    code: str,
    *arguments: str,
    rules: Rules | None = None,
    calls: bool = False,
    sealed: Sequence[str] | None = None,
    expect: tuple[bool, bool] | None = None,
) -> subprocess.CompletedProcess[str]:
    """Run Python code in a process that has confined itself.

    Args:
        sealed: When given, attest first that no file can be made there, and all the rest.
        expect: What to attest: files, calls; as confined when None.
    """
    order = {"code": code, "arguments": arguments}
    program = filter_of_this_machine() if calls else None
    confinement = Confinement(rules=rules, filter=program)
    return _run(order, confinement, cwd="/", sealed=sealed, expect=expect)


def _run(
    order: dict[str, Any],
    confinement: Confinement,
    *,
    cwd: str,
    sealed: Sequence[str] | None,
    expect: tuple[bool, bool] | None = None,
) -> subprocess.CompletedProcess[str]:
    uid, rules, program = confinement
    files, calls = expect or (rules is not None, program is not None)
    order |= {
        "uid": uid,
        "rules": None if rules is None else rules._asdict(),
        "filter": None if program is None else program.hex(),
        "sealed": sealed,
        "expect_files": files,
        "expect_calls": calls,
    }
    return subprocess.run(
        [sys.executable, "-I", "-S", "-X", "utf8", str(CHILD), str(PACKAGE), json.dumps(order)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        cwd=cwd,
        timeout=TIMEOUT_S,
        check=False,
    )
