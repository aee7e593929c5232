"""Opens what lies beneath one directory, and nothing else.

A path is relative, has no `..`, and is walked one name at a time from the root's descriptor with
O_NOFOLLOW. Symbolic links are resolved beforehand, and the place they lead to is then walked the
same way: a link that is swapped in meanwhile is refused, so there is no moment at which the
outside can be reached. Hard links and mounts are parts of the directory and not looked at.

Texts of errors carry paths as the program gave them, never the host's.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from pool.errors import ToolError
from pool.tools.workspace.bounds import DEFAULT_BOUNDS, Bounds

# A path of more names than any file system carries; each is a system call.
MAX_PATH_CHARS: Final = 4_096

# NONBLOCK: opening a pipe without a writer would wait for ever. The kind is checked afterwards.
OPEN_FLAGS: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY

_ADVICE: Final = {
    errno.ENOENT: "no such file or directory",
    errno.ENOTDIR: "no such directory",
    errno.EACCES: "permission denied",
    errno.EPERM: "permission denied",
    errno.ELOOP: "a symbolic link in it leads nowhere or outside of the workspace",
    errno.ENAMETOOLONG: "the path is too long",
    errno.EMFILE: "too many files are open on the host",
    errno.ENFILE: "too many files are open on the host",
    errno.ENXIO: "not a regular file",
}


@dataclass(frozen=True, slots=True)
class Workspace:
    """One directory that tools may look into.

    Attributes:
        root: Its absolute path without symbolic links. Never shown to a program.
        bounds: How much one call may do.
    """

    root: str
    bounds: Bounds = DEFAULT_BOUNDS

    @contextmanager
    def open(self, path: str) -> Iterator[int]:
        """Descriptor of whatever is at `path`, closed on leaving.

        Raises:
            ToolError: There is nothing, it is not beneath the root, or work on it failed.
        """
        try:
            descriptor = walk(self.root, resolve(self.root, path))
        except OSError as error:
            raise refusal(path, reason(error)) from None
        try:
            yield descriptor
        except OSError as error:
            raise refusal(path, reason(error)) from None
        finally:
            os.close(descriptor)

    @contextmanager
    def open_file(self, path: str) -> Iterator[int]:
        """`open`, for regular files only."""
        with self.open(path) as descriptor:
            mode = os.fstat(descriptor).st_mode
            if stat.S_ISDIR(mode):
                raise refusal(path, "is a directory")
            if not stat.S_ISREG(mode):
                raise refusal(path, "not a regular file")
            yield descriptor

    @contextmanager
    def open_directory(self, path: str) -> Iterator[int]:
        """`open`, for directories only."""
        with self.open(path) as descriptor:
            if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
                raise refusal(path, "not a directory")
            yield descriptor


def resolve(root: str, path: str) -> list[str]:
    """The names to walk from `root` to where `path` leads, links resolved.

    Raises:
        ToolError: The path is not usable, or leads outside of the root.
    """
    _check(path)
    real = os.path.realpath(os.path.join(root, path))
    relative = os.path.relpath(real, root)
    if relative == os.pardir or relative.startswith(os.pardir + os.sep):
        raise refusal(path, "leads outside of the workspace")
    return [] if relative == os.curdir else relative.split(os.sep)


def walk(root: str, names: list[str]) -> int:
    """Open what lies there by now; the caller closes it.

    Raises:
        OSError: ELOOP or ENOTDIR when one of the names has become a link, and whatever else
            opening raises.
    """
    descriptor = os.open(root, OPEN_FLAGS | os.O_DIRECTORY)
    for name in names:
        parent = descriptor
        try:
            descriptor = open_child(parent, name)
        finally:
            os.close(parent)
    return descriptor


def open_child(parent: int, name: str) -> int:
    """Open one entry of an open directory, without following it when it is a link.

    Raises:
        OSError: ELOOP or ENOTDIR for a link, and whatever else opening raises.
    """
    return os.open(name, OPEN_FLAGS, dir_fd=parent)


def refusal(path: str, why: str) -> ToolError:
    return ToolError(f"{path}: {why}")


def reason(error: OSError) -> str:
    """What went wrong, without the path that the host knows it by."""
    return _ADVICE.get(error.errno or 0) or os.strerror(error.errno or 0).lower()


def _check(path: str) -> None:
    if "\0" in path or len(path) > MAX_PATH_CHARS:
        raise ToolError(f"a path has no NUL and at most {MAX_PATH_CHARS} characters")
    if path.startswith("/"):
        raise refusal(path, "is absolute; paths are relative to the workspace, which is '.'")
    if os.pardir in path.split("/"):
        raise refusal(path, "'..' is not allowed; paths are relative to the workspace")
