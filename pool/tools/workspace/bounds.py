"""How much the workspace tools do in one call. What is read of one file is in `text.py`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Bounds:
    """Bounds of one call.

    Attributes:
        entries: Looked at in a walk. A large checkout has some 100,000 files; more is a walk that
            nobody meant.
        depth: Levels of a walk, each of which holds a descriptor and a stack frame.
        listed: Given back by one `ls`.
        search_s: Seconds of one `grep`, looked at between files. A large checkout takes a few.
    """

    entries: int = 200_000
    depth: int = 64
    listed: int = 50_000
    search_s: float = 30.0


DEFAULT_BOUNDS: Final = Bounds()
