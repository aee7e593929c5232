"""What importing the package costs: nothing that a program without it does not need."""

from __future__ import annotations

import json
import subprocess
import sys

import pool

HEAVY = {"mcp", "pydantic", "starlette", "sqlalchemy", "jsonschema_rs", "rich", "typer"}


def _loaded_by(statement: str) -> set[str]:
    code = f"{statement}\nimport json, sys\nprint(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    return {name.partition(".")[0] for name in json.loads(done.stdout)}


def test_importing_the_package_loads_no_heavy_library():
    loaded = _loaded_by("import pool; pool.Pool")

    assert "anyio" in loaded
    assert not loaded & HEAVY


def test_importing_a_heavy_library_would_be_seen():
    assert "jsonschema_rs" in _loaded_by("import jsonschema_rs")


def test_the_public_names_exist_and_are_sorted():
    assert list(pool.__all__) == sorted(pool.__all__, key=str.lower) or list(
        pool.__all__
    ) == sorted(pool.__all__)
    assert all(hasattr(pool, name) for name in pool.__all__)
