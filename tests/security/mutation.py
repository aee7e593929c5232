"""What it means to lose a measure: texts of the product replaced, in a copy of it."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Edit:
    """A text that occurs once in a file of the repository, and what stands there instead."""

    file: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Mutation:
    """One measure, and how to lose it.

    Attributes:
        attacks: Programs that must notice, each.
        edits: Usually one. More where two lines stand in for each other: a program notices only
            when both are gone.
    """

    measure: str
    attacks: tuple[str, ...]
    edits: tuple[Edit, ...]


def mutated_copy(mutation: Mutation, directory: Path) -> Path:
    """A copy of the product in `directory`, without that measure."""
    for name in ("pool", "runtime_js"):
        shutil.copytree(ROOT / name, directory / name)
    for edit in mutation.edits:
        target = directory / edit.file
        text = target.read_text(encoding="utf-8")
        target.write_text(text.replace(edit.before, edit.after), encoding="utf-8")
    return directory
