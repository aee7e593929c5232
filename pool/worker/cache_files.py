"""Directories of code caches on disk: where they lie, what they are called, who may use them.

Blocking file work without any process; `code_cache` says when which of it is due. A cache is
used only if this user owns it and nobody else can write to it: what lies in it is executed.
"""

from __future__ import annotations

import errno
import hashlib
import os
import platform
import re
import shutil
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from pool.worker.deno import Deno

FILLING: Final = "filling-"
_OURS: Final = re.compile(rf"deno-\d+\.\d+\.\d+-\w+-[0-9a-f]{{16}}|{FILLING}\w+")

# A cache that nobody opened for this long belongs to a version that is no longer used.
STALE_S: Final = 30 * 24 * 3600.0

_READ_FILE: Final = 0o444
_READ_DIRECTORY: Final = 0o555


def cache_key(deno: Deno, runtime_dir: Path) -> str:
    """Name of the cache that fits: same Deno, same machine type, same runtime at the same place.

    The place counts because compiled code is stored under the path of its module.
    """
    digest = hashlib.sha256(os.fsencode(runtime_dir))
    for path in sorted(path for path in runtime_dir.rglob("*") if path.is_file()):
        name, content = os.fsencode(path.relative_to(runtime_dir)), path.read_bytes()
        digest.update(b"%d:%b%d:%b" % (len(name), name, len(content), content))
    return f"deno-{deno.version}-{platform.machine()}-{digest.hexdigest()[:16]}"


def user_cache_dir(environ: Mapping[str, str]) -> Path | None:
    """The user's own directory for our caches, made if need be; None when it cannot be used."""
    base = Path(environ.get("XDG_CACHE_HOME", ""))
    if not base.is_absolute():  # the XDG specification: ignore relative ones
        base = Path(environ.get("HOME", ""), ".cache")
    if not base.is_absolute():
        return None
    directory = base / "codepool"
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return None
    is_usable = is_trusted(directory) and os.access(directory, os.W_OK | os.X_OK)
    return directory if is_usable else None


def is_trusted(directory: Path) -> bool:
    """Whether it exists, is this user's and can be written by nobody else."""
    try:
        found = directory.lstat()
    except OSError:
        return False
    is_writable = found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid() and not is_writable


def is_taken(path: Path) -> bool:
    """Whether there is anything of that name, be it a link that leads nowhere."""
    return os.path.lexists(path)


def publish(filled: Path, final: Path) -> None:
    """Make a filled cache read-only and give it its final name, all at once.

    When another process was faster its cache stays: it is as good as this one.
    """
    for path in [*filled.rglob("*"), filled]:
        # Deno puts a link to its own binary there, and chmod would follow it.
        if not path.is_symlink():
            path.chmod(_READ_DIRECTORY if path.is_dir() else _READ_FILE)
    try:
        filled.rename(final)
    except OSError as error:
        if error.errno not in (errno.EEXIST, errno.ENOTEMPTY):
            raise


def remove(directory: Path) -> None:
    """Remove a cache, sealed or not; nothing happens when it is not there."""
    for parent, _, _ in os.walk(directory):
        Path(parent).chmod(0o700)
    shutil.rmtree(directory, ignore_errors=True)


def remove_stale(parent: Path, *, keep: str, now: float) -> None:
    """Remove caches of ours that nobody has used for STALE_S, and what is left of failed fillings.

    Args:
        keep: Name of the one in use.
        now: Seconds since the epoch.
    """
    for path in parent.iterdir():
        if path.name != keep and _OURS.fullmatch(path.name) and is_trusted(path):
            if now - path.stat().st_mtime > STALE_S:
                remove(path)
