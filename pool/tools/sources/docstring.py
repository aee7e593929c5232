"""Reads what a Python docstring says to a model: a description, and a sentence per parameter.

Understands the Google style (`Args:` with indented entries) and nothing else; a docstring in
another style gives its first paragraph and no parameters. Pure text, never an error.
"""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass, field
from typing import Final

_SECTION: Final = re.compile(r"(Args|Arguments|Parameters):\s*$")
_ENTRY: Final = re.compile(r"(?P<indent>\s+)\*{0,2}(?P<name>\w+)\s*(\([^)]*\))?:\s*(?P<text>.*)")


@dataclass(frozen=True, slots=True)
class Documentation:
    """What a docstring says.

    Attributes:
        description: The first paragraph, on one line.
        parameters: Name of a parameter to its description.
    """

    description: str = ""
    parameters: dict[str, str] = field(default_factory=dict)


def read_docstring(text: str | None) -> Documentation:
    lines = inspect.cleandoc(text or "").splitlines()
    description = []
    for line in lines:
        if not line.strip() or _SECTION.match(line):
            break
        description.append(line.strip())
    return Documentation(" ".join(description), _parameters(lines))


def _parameters(lines: list[str]) -> dict[str, str]:
    start = next((at for at, line in enumerate(lines) if _SECTION.match(line)), len(lines))
    described: dict[str, str] = {}
    indent = current = None
    for line in lines[start + 1 :]:
        if line.strip() and not line[0].isspace():
            break
        entry = _ENTRY.match(line)
        if entry is not None and indent in (None, entry["indent"]):
            indent, current = entry["indent"], entry["name"]
            described[current] = entry["text"].strip()
        elif current is not None:
            described[current] = f"{described[current]} {line.strip()}".strip()
    return described
