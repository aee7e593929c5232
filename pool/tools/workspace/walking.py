"""Walks a directory tree of the workspace by descriptors, and never through a symbolic link."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pool.errors import ToolError
from pool.tools.workspace.beneath import open_child


@dataclass(frozen=True, slots=True)
class Entry:
    """One file, directory, link or other thing.

    Attributes:
        path: Relative to the directory where the walk began.
        parent: Descriptor of its directory, open while the entry is looked at.
    """

    path: str
    name: str
    parent: int
    mode: int
    size: int

    @property
    def is_file(self) -> bool:
        return stat.S_ISREG(self.mode)

    @property
    def is_directory(self) -> bool:
        return stat.S_ISDIR(self.mode)


class Walk:
    """One walk, depth first, in the order of names.

    Args:
        most: Entries to look at.
        depth: Levels to go down; 1 is the directory itself.
        looks_at: Says of a name whether to look at the entry at all.
    """

    def __init__(self, *, most: int, depth: int, looks_at: Callable[[str], bool]) -> None:
        self._most = most
        self._depth = depth
        self._looks_at = looks_at
        self._seen = 0

    def entries(self, directory: int) -> Iterator[Entry]:
        """Everything beneath an open directory.

        Raises:
            ToolError: There is more than a walk may look at.
        """
        return self._entries(directory, "", self._depth)

    def _entries(self, directory: int, prefix: str, depth: int) -> Iterator[Entry]:
        for name in sorted(os.listdir(directory)):
            self._seen += 1
            if self._seen > self._most:
                raise ToolError(f"more than {self._most} entries; choose a smaller directory")
            entry = _look_at(directory, prefix, name) if self._looks_at(name) else None
            if entry is None:
                continue
            yield entry
            if entry.is_directory and depth > 1:
                yield from self._inside(entry, depth - 1)

    def _inside(self, entry: Entry, depth: int) -> Iterator[Entry]:
        try:
            directory = open_child(entry.parent, entry.name)
        except OSError:
            return  # gone, not ours to read, or a link by now: as if it were empty
        try:
            yield from self._entries(directory, f"{entry.path}/", depth)
        except NotADirectoryError:
            return
        finally:
            os.close(directory)


def _look_at(directory: int, prefix: str, name: str) -> Entry | None:
    try:
        found = os.stat(name, dir_fd=directory, follow_symlinks=False)
    except OSError:
        return None  # gone since the directory was read
    return Entry(f"{prefix}{name}", name, directory, found.st_mode, found.st_size)
