"""What a user with no rights of its own can reach, and a directory where it can reach everything.

Workers of a host that is root run as such a user, who cannot pass through a folder like `/root`.
Judged by the mode bits of everyone: what an access list grants beyond them is not counted.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Final

from pool.worker.cache_files import is_trusted

SHARED_DIR: Final = Path("/var/cache/codepool")

_READ: Final = stat.S_IROTH
_ENTER: Final = stat.S_IXOTH


def is_reachable(path: Path) -> bool:
    """Whether everyone can read `path` and everything below it, and start what is a program.

    A link that leads nowhere is in nobody's way: Deno leaves one to its binary in its cache.
    """
    real = path.resolve()
    return all(_lets(parent, _ENTER) for parent in real.parents) and all(
        _lets(each, _READ | _ENTER if os.access(each, os.X_OK) else _READ)
        for each in (real, *real.rglob("*"))
        if each.exists() or not each.is_symlink()
    )


def _lets(path: Path, rights: int) -> bool:
    try:
        return path.stat().st_mode & rights == rights
    except OSError:
        return False


def shared_dir(wanted: Path = SHARED_DIR) -> Path | None:
    """The directory for what workers of another user need, made if need be.

    Returns:
        None if it is of no use: it has to be this user's alone to write and everyone's to enter,
        and programs in it have to start.
    """
    try:
        if not wanted.exists():
            wanted.mkdir(parents=True, exist_ok=True)
            wanted.chmod(0o755)  # whatever the umask is
        is_executable = not os.statvfs(wanted).f_flag & os.ST_NOEXEC
    except OSError:
        return None
    can_enter = all(_lets(each, _ENTER) for each in (wanted, *wanted.resolve().parents))
    return wanted if is_trusted(wanted) and can_enter and is_executable else None
