"""The whole text of an outcome, for a file that a reader pages through by lines.

Lines are broken where they are too long for one page: a program prints a megabyte of JSON as one
line. Apart from that it is what `render` shows of an outcome whose budget is large enough.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from pool.program.graphemes import boundary_before
from pool.program.outcome import Outcome
from pool.program.render import whole

# As much of a line as `read` of the workspace tools shows.
MAX_LINE_CHARS: Final = 2_000

_LONG_LINE: Final = re.compile(rf"^.{{{MAX_LINE_CHARS + 1},}}", re.MULTILINE)


def full_text(outcome: Outcome) -> str:
    """Everything `render` may show, in lines of at most `MAX_LINE_CHARS` characters."""
    return _LONG_LINE.sub(lambda line: "\n".join(_pieces(line[0])), whole(outcome))


def _pieces(line: str) -> Iterator[str]:
    """The parts of a line, each as long as can be without breaking a character as it is read."""
    # The CR of a line that ends in CRLF does not count, and is not parted from its LF.
    content_end = len(line.removesuffix("\r"))
    start = 0
    while content_end - start > MAX_LINE_CHARS:
        # A slice, so that one look back never takes longer than one line.
        piece = line[start : start + MAX_LINE_CHARS + 1]
        end = start + boundary_before(piece, MAX_LINE_CHARS)
        yield line[start:end]
        start = end
    yield line[start:]
