from __future__ import annotations

from pathlib import Path

import pytest

from pool.tools.workspace.beneath import Workspace


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A directory with a few files, beside a secret that no tool may reach."""
    (tmp_path / "secret.txt").write_text("SECRET\n")
    (tmp_path / "secrets").mkdir()
    (tmp_path / "secrets" / "key.txt").write_text("SECRET\n")
    root = tmp_path / "work"
    (root / "src" / "deep").mkdir(parents=True)
    (root / ".git").mkdir()
    (root / "README.md").write_text("# Notes\n\nTODO: write\n")
    (root / "src" / "main.py").write_text("def main():\n    return 1  # TODO\n")
    (root / "src" / "deep" / "other.py").write_text("import main\n")
    (root / ".git" / "config").write_text("TODO\n")
    (root / ".hidden").write_text("TODO hidden\n")
    (root / "image.bin").write_bytes(b"TODO\0\xff")
    return root


@pytest.fixture
def workspace(root: Path) -> Workspace:
    return Workspace(str(root.resolve()))
