"""`ls` and `find`: what there is in the workspace."""

from __future__ import annotations

import stat
from typing import Any, Final

from pool.errors import ToolError
from pool.tools.workspace.beneath import Workspace
from pool.tools.workspace.bounds import DEFAULT_BOUNDS
from pool.tools.workspace.globs import Glob
from pool.tools.workspace.walking import Walk

DEFAULT_FOUND: Final = 1_000
MAX_FOUND: Final = 100_000

# Never entered: the objects in there are nobody's files.
GIT: Final = ".git"

_DIRECTORY: Final = {
    "type": "string",
    "default": ".",
    "description": "Directory, relative to the workspace",
}

LS: Final[dict[str, Any]] = {
    "description": (
        "List a directory of the workspace, in the order of names. Names are relative to that"
        " directory. Size is in bytes and 0 for everything but files. Links are not followed."
    ),
    "input_schema": {
        "type": "object",
        "properties": {
            "path": _DIRECTORY,
            "depth": {
                "type": "integer",
                "minimum": 1,
                "maximum": DEFAULT_BOUNDS.depth,
                "default": 1,
                "description": "Levels to list; 1 is the directory itself",
            },
            "hidden": {
                "type": "boolean",
                "default": False,
                "description": "Also names that begin with a dot",
            },
        },
        "additionalProperties": False,
    },
    "output_schema": {
        "type": "array",
        "items": {
            "type": "object",
            "properties": {
                "name": {"type": "string"},
                "type": {"enum": ["file", "directory", "link", "other"]},
                "size": {"type": "integer"},
            },
            "required": ["name", "type", "size"],
        },
    },
}

FIND: Final[dict[str, Any]] = {
    "description": (
        "Find files of the workspace by name pattern: *, ?, [abc], {a,b}, and ** for any number of"
        " directories. A pattern without a slash is about the name alone, at any depth. Returns"
        f" paths relative to the workspace, sorted. {GIT} is skipped, links are not followed."
    ),
    "input_schema": {
        "type": "object",
        "properties": {
            "pattern": {"type": "string", "description": "As in *.py or src/**/test_*.{js,ts}"},
            "path": _DIRECTORY,
            "limit": {
                "type": "integer",
                "minimum": 1,
                "maximum": MAX_FOUND,
                "default": DEFAULT_FOUND,
                "description": "Most paths to return",
            },
        },
        "required": ["pattern"],
        "additionalProperties": False,
    },
    "output_schema": {"type": "array", "items": {"type": "string"}},
}


def ls(workspace: Workspace, argument: dict[str, Any]) -> list[dict[str, Any]]:
    shows_hidden = argument.get("hidden", False)
    bounds = workspace.bounds
    walk = Walk(
        most=bounds.entries,
        depth=min(int(argument.get("depth", 1)), bounds.depth),
        looks_at=lambda name: shows_hidden or not name.startswith("."),
    )
    listed: list[dict[str, Any]] = []
    with workspace.open_directory(argument.get("path", ".")) as directory:
        for entry in walk.entries(directory):
            if len(listed) == bounds.listed:
                raise ToolError(f"more than {bounds.listed} entries; list a smaller directory")
            size = entry.size if entry.is_file else 0
            listed.append({"name": entry.path, "type": _type(entry.mode), "size": size})
    return listed


def find(workspace: Workspace, argument: dict[str, Any]) -> list[str]:
    glob = Glob.of(argument["pattern"])
    path, limit = argument.get("path", "."), int(argument.get("limit", DEFAULT_FOUND))
    found: list[str] = []
    with workspace.open_directory(path) as directory:
        for entry in everything(workspace).entries(directory):
            if entry.is_file and glob.matches(entry.path):
                found.append(beneath(path, entry.path))
                if len(found) == limit:
                    break
    return sorted(found)


def everything(workspace: Workspace) -> Walk:
    """The walk of a search: all there is but Git's own files."""
    bounds = workspace.bounds
    return Walk(most=bounds.entries, depth=bounds.depth, looks_at=GIT.__ne__)


def beneath(directory: str, path: str) -> str:
    """A path relative to a directory of the workspace, as one relative to the workspace."""
    steps = [step for step in directory.split("/") if step not in ("", ".")]
    return "/".join([*steps, path])


def _type(mode: int) -> str:
    if stat.S_ISREG(mode):
        return "file"
    if stat.S_ISDIR(mode):
        return "directory"
    return "link" if stat.S_ISLNK(mode) else "other"
