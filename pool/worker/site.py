"""Where workers of one pool are started: binary, runtime, code cache and an empty directory.

Brought together once, when a pool comes up; from then on every launch is the same data.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial

from anyio import to_thread
from anyio.abc import TaskGroup

from pool.limits import Limits
from pool.wire.frames import FrameLimits
from pool.worker.cache_files import user_cache_dir
from pool.worker.code_cache import open_code_cache
from pool.worker.deno import Deno, find_deno, runtime_dir
from pool.worker.launch import Launch, plan
from pool.worker.process import Worker, boot
from pool.worker.spawner_link import SpawnerLink


@dataclass(frozen=True, slots=True)
class Site:
    """What every worker of a pool is started from."""

    deno: Deno
    launch: Launch


@asynccontextmanager
async def open_site(
    link: SpawnerLink, *, limits: Limits, task_group: TaskGroup
) -> AsyncIterator[Site]:
    """Find or make what workers need; removes the temporary part on leaving.

    Raises:
        DenoUnsupported: No Deno, or not a supported version.
        BootFailed: The runtime does not come up at all.

    Cancellation:
        At any point.
    """
    deno = await to_thread.run_sync(find_deno)
    runtime = runtime_dir()
    with tempfile.TemporaryDirectory(prefix="codepool-home-") as home:
        prepared = partial(
            plan,
            deno=deno.path,
            runtime_dir=str(runtime),
            cwd=home,
            memory_mib=limits.memory_mib,
        )

        async def start(cache_dir: str) -> Worker:
            return await boot(
                link,
                prepared(cache_dir=cache_dir),
                frame_limits=FrameLimits.of(limits),
                memory_mib=limits.memory_mib,
                task_group=task_group,
            )

        cache = open_code_cache(deno, runtime, boot=start, user_dir=user_cache_dir(os.environ))
        async with cache as cache_dir:
            yield Site(deno, prepared(cache_dir=cache_dir))
