"""Files outside of the workspace that `read` opens all the same: the few that a host has named.

They are the full outputs of a session's own outcomes, and reference pages. One is known by the
exact text of its path, and has to be the very file that was there when it was named: whatever is
put in its place, or in that of a directory on the way to it, is not what opens.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, TypeAlias

from pool.tools.workspace.beneath import OPEN_FLAGS, reason, refusal

# By error of the system; for the rest, what any other file would have.
_ADVICE: Final = {
    errno.ENOENT: (
        "is gone: the files of a run are removed with its outcome, or after a day;"
        " run the program again, or have it show less"
    ),
    errno.ELOOP: "has been replaced since it was named",
}

# Device, number, size and time of the last change. The number of a removed file is soon given to
# another one; the time is the kernel's, nobody can set it, but it is as coarse as its clock.
_Identity: TypeAlias = tuple[int, int, int, int]


class NamedFiles:
    """The files of one session. Each session has its own, or it could read another's.

    May be added to while tools use it, from any thread.
    """

    __slots__ = ("_files",)

    def __init__(self) -> None:
        self._files: dict[str, _Identity] = {}

    def __contains__(self, path: str) -> bool:
        return path in self._files

    def add(self, path: str) -> None:
        """Have `read` open a text file, such as `Outcome.output_path`.

        Args:
            path: Absolute, of a regular file and not of a link to one. What is changed or put
                there later is not read.

        Raises:
            OSError: There is no such file, or it is a link.
            ValueError: The path is not absolute, or leads to something else than a file.
        """
        if not os.path.isabs(path):
            raise ValueError(f"{path} is not an absolute path")
        descriptor = os.open(path, OPEN_FLAGS)
        try:
            found = os.fstat(descriptor)
        finally:
            os.close(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise ValueError(f"{path} is not a regular file")
        self._files[path] = _identity(found)

    def discard(self, path: str) -> None:
        """Take a file back; unknown ones are no error."""
        self._files.pop(path, None)

    @contextmanager
    def open(self, path: str) -> Iterator[int]:
        """Descriptor of the file of that name, closed on leaving.

        Raises:
            ToolError: It was not named, is gone or another one by now, or work on it failed.
        """
        try:
            descriptor = os.open(path, OPEN_FLAGS)
        except OSError as error:
            raise refusal(path, _ADVICE.get(error.errno or 0) or reason(error)) from None
        try:
            if _identity(os.fstat(descriptor)) != self._files.get(path):
                raise refusal(path, _ADVICE[errno.ELOOP])
            yield descriptor
        except OSError as error:
            raise refusal(path, reason(error)) from None
        finally:
            os.close(descriptor)


def _identity(found: os.stat_result) -> _Identity:
    return found.st_dev, found.st_ino, found.st_size, found.st_ctime_ns
