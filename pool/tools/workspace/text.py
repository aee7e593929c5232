"""Lines of files as the workspace tools show them: bounded, and only of files that are text."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import IO, Final

# Longer lines are data, not text for a reader; the rest of such a line can be had with `bash`.
MAX_LINE_CHARS: Final = 2_000

# Files above this are not opened: a line of one is held in memory, and so is a page.
MAX_FILE_BYTES: Final = 64 * 1024 * 1024

# A NUL this early tells binary files from text, as git and grep do it.
_SNIFF_BYTES: Final = 8_192


def is_binary(descriptor: int) -> bool:
    """Whether an open file looks like something else than text."""
    return b"\0" in os.pread(descriptor, _SNIFF_BYTES, 0)


def lines(descriptor: int) -> Iterator[str]:
    """The lines of an open file with their ends; what is no UTF-8 becomes U+FFFD."""
    file: IO[bytes] = open(descriptor, "rb", closefd=False)
    for line in file:
        yield line.decode("utf-8", "replace")


def shortened(line: str) -> str:
    """`line`, cut with a mark when it is above `MAX_LINE_CHARS`; its end is kept."""
    content = line.rstrip("\r\n")
    if len(content) <= MAX_LINE_CHARS:
        return line
    cut = len(content) - MAX_LINE_CHARS
    return f"{content[:MAX_LINE_CHARS]} [{cut} more characters]{line[len(content) :]}"
