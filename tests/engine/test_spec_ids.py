"""Every promise that is due has a test here that names it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DUE = (
    *("S-1", "S-2", "S-3", "S-4", "S-5", "S-6", "S-7", "S-8", "S-9", "S-10", "S-11"),
    *("T-1", "T-2", "T-3", "T-4", "T-5", "T-6", "T-7", "V-1", "V-2", "V-3", "V-4"),
    *("O-1", "O-2", "O-3", "O-4", "O-5", "O-6", "B-1", "B-2", "B-3"),
    *("L-1", "L-2", "L-3", "L-4", "C-1"),
)

NAMES = frozenset(
    name
    for file in Path(__file__).parent.glob("test_*.py")
    for name in re.findall(r"^(?:async )?def (test_\w+)", file.read_text("utf-8"), re.MULTILINE)
)


@pytest.mark.parametrize("id", DUE)
def test_a_test_names_the_promise(id: str):
    prefix = f"test_{id.replace('-', '').lower()}_"

    assert any(name.startswith(prefix) for name in NAMES)
