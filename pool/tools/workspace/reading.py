"""`read`: a text file, or a page of one."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from pool.tools.workspace.beneath import Workspace, refusal
from pool.tools.workspace.named import NamedFiles
from pool.tools.workspace.text import MAX_FILE_BYTES, MAX_LINE_CHARS, is_binary, lines, shortened

# UTF-8 needs at most four bytes for a character, so a page is well below the limit of a result.
MAX_PAGE_CHARS: Final = 4_000_000

READ: Final[dict[str, Any]] = {
    "description": (
        "Read a UTF-8 text file of the workspace, whole or a page of its lines. The result is the"
        f" text itself. Lines above {MAX_LINE_CHARS} characters are cut with a mark. When lines"
        " are left out, a last line in brackets says which ones are shown and how many there are."
        " Also opens the full output that an earlier outcome named, by exactly that path."
    ),
    "input_schema": {
        "type": "object",
        "properties": {
            "path": {"type": "string", "description": "File, relative to the workspace"},
            "offset": {
                "type": "integer",
                "minimum": 1,
                "default": 1,
                "description": "First line to read, counted from 1",
            },
            "limit": {
                "type": "integer",
                "minimum": 1,
                "description": "Most lines to read; all when left out",
            },
        },
        "required": ["path"],
        "additionalProperties": False,
    },
    "output_schema": {"type": "string"},
}


@dataclass(slots=True)
class _Page:
    text: str
    last: int  # number of the last line shown
    total: int  # lines of the file


def read(workspace: Workspace, named: NamedFiles, argument: dict[str, Any]) -> str:
    path, first = argument["path"], int(argument.get("offset", 1))
    limit = int(argument["limit"]) if "limit" in argument else None
    is_named = path in named
    with named.open(path) if is_named else workspace.open_file(path) as descriptor:
        size = os.fstat(descriptor).st_size
        if size > MAX_FILE_BYTES:
            raise refusal(path, f"is {size} bytes, the most that is read is {MAX_FILE_BYTES}")
        # Who named a file knows that it is text; a program may have put out a NUL.
        if not is_named and is_binary(descriptor):
            raise refusal(path, "is a binary file")
        page = _page(lines(descriptor), first, limit)
    if first > max(page.total, 1):
        raise refusal(path, f"has {page.total} lines, offset {first} is after the last one")
    if first == 1 and page.last == page.total:
        return page.text
    end = "" if page.text.endswith("\n") else "\n"
    more = f"; continue with offset {page.last + 1}" if page.last < page.total else ""
    return f"{page.text}{end}[lines {first}-{page.last} of {page.total}{more}]\n"


def _page(file: Iterable[str], first: int, limit: int | None) -> _Page:
    shown: list[str] = []
    room = MAX_PAGE_CHARS
    number, last = 0, first - 1
    for number, line in enumerate(file, start=1):
        if number != last + 1 or (limit is not None and number >= first + limit):
            continue
        line = shortened(line)
        if len(line) <= room:
            shown.append(line)
            room -= len(line)
            last = number
    return _Page("".join(shown), last, number)
