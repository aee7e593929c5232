"""Runs the unit tests of the guest runtime's own functions, which are written in JavaScript."""

from __future__ import annotations

import subprocess
from pathlib import Path

import deno
import pytest
from driver import RUNTIME

UNITS = Path(__file__).parent / "units"


@pytest.mark.parametrize("path", sorted(UNITS.glob("*_test.js")), ids=lambda path: path.stem)
def test_the_guest_runtime_passes_its_own_unit_tests(path: Path, cache_dir: str) -> None:
    result = subprocess.run(
        [
            deno.find_deno_bin(),
            "test",
            "--quiet",
            "--no-remote",
            "--no-npm",
            "--no-lock",
            "--no-check",
            f"--config={RUNTIME / 'deno.json'}",
            str(path),
        ],
        env={"DENO_DIR": cache_dir, "HOME": cache_dir, "NO_COLOR": "1", "TZ": "UTC"},
        capture_output=True,
        text=True,
        timeout=60,
    )

    assert result.returncode == 0, result.stdout + result.stderr
