"""How a source is refused: every message begins with the line and ends with the fix."""

from __future__ import annotations

from typing import NoReturn

from pool.errors import SourceRefused
from pool.program.positions import Lines


def refuse(text: str, offset: int, problem: str) -> NoReturn:
    """Refuse a source because of what stands at `offset`."""
    line, column = Lines(text).position(offset)
    raise SourceRefused(f"Line {line}: {problem}", line=line, column=column)
