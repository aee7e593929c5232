"""Deno's directory with the compiled code of the guest runtime, filled once and then read-only.

Without it a boot costs half as much CPU again. Boots of the bare runtime fill a private directory,
which is then sealed and renamed to its final name. No worker that runs programs gets a directory
to write to: it would carry data from one run to the next.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Final

import anyio
from anyio import to_thread

from pool.worker.cache_files import (
    FILLING,
    cache_key,
    is_taken,
    is_trusted,
    publish,
    remove,
    remove_stale,
)
from pool.worker.deno import Deno
from pool.worker.process import Worker

# The first boot compiles, the second still writes; a third adds nothing. Deno writes when the
# worker leaves, not before.
FILLING_BOOTS: Final = 2

# Removes a handful of files; only a file system that hangs takes this long.
_CLEANUP_S: Final = 5.0

FillingBoot = Callable[[str], Awaitable[Worker]]


@asynccontextmanager
async def open_code_cache(
    deno: Deno, runtime_dir: Path, *, user_dir: Path | None, boot: FillingBoot
) -> AsyncIterator[str]:
    """A warm cache to be used as DENO_DIR, made now unless there is one already.

    Args:
        user_dir: Where caches are kept from process to process (`user_cache_dir`). When it is
            None, or holds something under the cache's name that is not to be trusted, the cache
            is temporary and removed on leaving.
        boot: Starts a worker with the given DENO_DIR, to no other purpose.

    Raises:
        BootFailed: From `boot`.
        OSError: The directory cannot be written; the disk is full, for instance.

    Cancellation:
        At any point; what was not finished is removed, which takes at most _CLEANUP_S.
    """
    key = await to_thread.run_sync(cache_key, deno, runtime_dir)
    if user_dir is not None and is_trusted(user_dir / key):
        with suppress(OSError):
            (user_dir / key).touch()  # in use: not stale
        yield str(user_dir / key)
    elif user_dir is not None and not is_taken(user_dir / key):
        await _fill(user_dir / key, boot)
        await to_thread.run_sync(partial(remove_stale, user_dir, keep=key, now=time.time()))
        yield str(user_dir / key)
    else:
        temporary = Path(tempfile.mkdtemp(prefix="codepool-"))
        try:
            # Workers may be another user.
            await to_thread.run_sync(temporary.chmod, 0o755)
            await _fill(temporary / key, boot)
            yield str(temporary / key)
        finally:
            await _remove(temporary)


async def _fill(final: Path, boot: FillingBoot) -> None:
    filling = Path(tempfile.mkdtemp(prefix=FILLING, dir=final.parent))
    try:
        for _ in range(FILLING_BOOTS):
            worker = await boot(str(filling))
            await worker.leave()
        # The files are SQLite's in WAL mode: they can be read without being written only while
        # `-wal` and `-shm` lie beside them. One in fifteen workers that leave takes them away;
        # one that is killed while it has them open never does.
        worker = await boot(str(filling))
        await worker.kill()
        await to_thread.run_sync(publish, filling, final)
    finally:
        await _remove(filling)


async def _remove(directory: Path) -> None:
    with anyio.move_on_after(_CLEANUP_S, shield=True):
        await to_thread.run_sync(remove, directory)
