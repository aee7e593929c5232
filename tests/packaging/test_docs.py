"""What the documents say is true: marked code runs, links lead somewhere, all errors are drawn."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from pool import errors

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")], key=lambda path: str(path))

# A block is run when this comment stands in front of it; what its last comment says is what it
# has to print.
RUNNABLE = re.compile(r"<!-- runs -->\n```python\n(.*?)```", re.DOTALL)
LINK = re.compile(r"\]\((?!https?://|#)([^)#\s]+)")


def _id(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize(
    "block",
    [
        pytest.param(block, id=f"{_id(path)}-{number}")
        for path in DOCUMENTS
        for number, block in enumerate(RUNNABLE.findall(path.read_text(encoding="utf-8")))
    ],
)
def test_marked_code_runs_and_prints_what_it_says(block: str, tmp_path: Path):
    program = tmp_path / "block.py"
    program.write_text(block, encoding="utf-8")
    _, _, promised = block.rstrip().rpartition("  # ")

    done = subprocess.run([sys.executable, program], capture_output=True, text=True)

    assert done.stderr == ""
    assert done.stdout.strip() == promised


@pytest.mark.parametrize("path", DOCUMENTS, ids=_id)
def test_links_to_files_lead_somewhere(path: Path):
    targets = LINK.findall(path.read_text(encoding="utf-8"))

    assert [target for target in targets if not (path.parent / target).exists()] == []


def test_every_decision_is_listed():
    records = {path.name for path in (ROOT / "docs/decisions").glob("0*.md")}
    listed = set(
        re.findall(r"\((0\d+-[^)]+)\)", (ROOT / "docs/decisions/README.md").read_text("utf-8"))
    )

    assert listed == records


def _tree() -> list[type[errors.CodepoolError]]:
    found, waiting = [], [errors.CodepoolError]
    while waiting:
        kind = waiting.pop()
        if kind.__module__ == errors.__name__:
            found.append(kind)
        waiting += kind.__subclasses__()
    return found


def test_error_codes_are_unique():
    codes = [kind.code for kind in _tree()]

    assert len(codes) == len(set(codes))


@pytest.mark.parametrize("kind", _tree(), ids=lambda kind: kind.__name__)
def test_every_error_is_drawn_in_the_tree_with_its_code(kind: type[errors.CodepoolError]):
    drawn = rf"^\s*[│├└─ ]*{kind.__name__} +{kind.code}\b"

    assert re.search(drawn, errors.__doc__ or "", re.MULTILINE)
