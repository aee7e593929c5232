"""`grep`: lines of the workspace's text files that match a regular expression."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from time import monotonic
from typing import Any, Final

from pool.errors import ToolError
from pool.tools.workspace.beneath import Workspace, open_child
from pool.tools.workspace.globs import Glob
from pool.tools.workspace.listing import GIT, beneath, everything
from pool.tools.workspace.patterns import LinePattern
from pool.tools.workspace.text import MAX_FILE_BYTES, is_binary, lines, shortened

DEFAULT_MATCHES: Final = 1_000
MAX_MATCHES: Final = 10_000

GREP: Final[dict[str, Any]] = {
    "description": (
        "Search the text files of the workspace line by line with a regular expression (no"
        f" look-around, no back-references). Binary files, files above {MAX_FILE_BYTES} bytes and"
        f" {GIT} are skipped, links are not followed. Exactly `limit` results may mean that there"
        " are more."
    ),
    "input_schema": {
        "type": "object",
        "properties": {
            "pattern": {"type": "string", "minLength": 1, "description": "Regular expression"},
            "path": {
                "type": "string",
                "default": ".",
                "description": "Directory or file, relative to the workspace",
            },
            "glob": {"type": "string", "description": "Only files like this, as in *.py"},
            "ignore_case": {"type": "boolean", "default": False},
            "limit": {
                "type": "integer",
                "minimum": 1,
                "maximum": MAX_MATCHES,
                "default": DEFAULT_MATCHES,
                "description": "Most lines to return",
            },
        },
        "required": ["pattern"],
        "additionalProperties": False,
    },
    "output_schema": {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {
                "path": {"type": "string", "description": "Relative to the workspace"},
                "line": {"type": "integer", "description": "Counted from 1"},
                "text": {"type": "string", "description": "The line without its end"},
            },
            "required": ["path", "line", "text"],
        },
    },
}


def grep(workspace: Workspace, argument: dict[str, Any]) -> list[dict[str, Any]]:
    pattern = LinePattern.of(argument["pattern"], ignores_case=argument.get("ignore_case", False))
    glob = Glob.of(argument["glob"]) if "glob" in argument else None
    path, limit = argument.get("path", "."), int(argument.get("limit", DEFAULT_MATCHES))
    found: list[dict[str, Any]] = []
    with workspace.open(path) as opened:
        for name, descriptor in _files(workspace, opened, path, glob):
            for number, line in enumerate(lines(descriptor), start=1):
                content = line.rstrip("\r\n")
                if pattern.matches(content):
                    found.append({"path": name, "line": number, "text": shortened(content)})
                    if len(found) == limit:
                        return found
    return found


def _files(
    workspace: Workspace, opened: int, path: str, glob: Glob | None
) -> Iterator[tuple[str, int]]:
    """The text files to search, each with a descriptor that is closed after its turn."""
    if not stat.S_ISDIR(os.fstat(opened).st_mode):
        if _is_searchable(opened):
            yield beneath(path, "").rstrip("/"), opened
        return
    most_s = workspace.bounds.search_s
    began_at = monotonic()
    for entry in everything(workspace).entries(opened):
        if monotonic() - began_at > most_s:
            raise ToolError(f"the search took longer than {most_s} s; narrow path or glob")
        if not entry.is_file or not (glob is None or glob.matches(entry.path)):
            continue
        try:
            descriptor = open_child(entry.parent, entry.name)
        except OSError:
            continue  # gone, not ours to read, or a link by now
        try:
            if _is_searchable(descriptor):
                yield beneath(path, entry.path), descriptor
        finally:
            os.close(descriptor)


def _is_searchable(descriptor: int) -> bool:
    found = os.fstat(descriptor)
    is_text = stat.S_ISREG(found.st_mode) and found.st_size <= MAX_FILE_BYTES
    return is_text and not is_binary(descriptor)
