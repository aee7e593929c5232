"""Where workers of one pool are started: binary, runtime, code cache, and what confines them.

Brought together once, when a pool comes up; from then on every launch is the same data.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import AbstractContextManager, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

import anyio
from anyio import to_thread
from anyio.abc import TaskGroup

from pool.errors import ConfinementUnavailable
from pool.limits import Limits
from pool.wire.frames import FrameLimits
from pool.worker.cache_files import user_cache_dir
from pool.worker.code_cache import open_code_cache
from pool.worker.deno import Deno, find_deno, runtime_dir
from pool.worker.launch import Launch, confined, plan
from pool.worker.layers import WORKER_UID, Layer, LayerState, Profile, active, assess, check
from pool.worker.libraries import linked_with
from pool.worker.lockdown import lock_down, plan_rules
from pool.worker.machine import inspect_machine
from pool.worker.place import open_place
from pool.worker.process import Worker, boot
from pool.worker.reachable import is_reachable, shared_dir
from pool.worker.spawner_link import SpawnerLink

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Site:
    """What every worker of a pool is started from.

    Attributes:
        layers: What holds the workers and what does not, one row for each layer.
    """

    deno: Deno
    launch: Launch
    layers: tuple[LayerState, ...]


@asynccontextmanager
async def open_site(
    link: SpawnerLink,
    *,
    limits: Limits,
    task_group: TaskGroup,
    profile: Profile = Profile.REQUIRE,
    worker_uid: int = WORKER_UID,
    jit: bool = True,
) -> AsyncIterator[Site]:
    """Find or make what workers need; removes the temporary part on leaving.

    Args:
        profile: What to do about a layer that this machine does not have.
        worker_uid: User of the workers of a host that is root.
        jit: Whether V8 may make machine code of programs.

    Raises:
        ConfinementUnavailable: The profile asks for what this machine does not have.
        DenoUnsupported: No Deno, or not a supported version.
        BootFailed: The runtime does not come up at all.

    Cancellation:
        At any point.
    """
    machine = inspect_machine(worker_uid)
    states = assess(machine, profile)
    check(states, profile)
    layers = active(states)
    is_other_user = Layer.USER in layers
    deno = await to_thread.run_sync(find_deno)
    shared = await to_thread.run_sync(shared_dir) if is_other_user else None
    place = open_place(deno, runtime_dir(), is_other_user=is_other_user, shared=shared)
    async with _entered_in_thread(place) as at:
        prepared = partial(
            plan,
            deno=at.deno,
            runtime_dir=at.runtime_dir,
            memory_mib=limits.memory_mib,
            timeout_s=limits.timeout_ms // 1000 + 1,
            jit=jit,
        )

        async def start(cache_dir: str) -> Worker:
            return await boot(
                link,
                prepared(cache_dir=cache_dir),
                frame_limits=FrameLimits.of(limits),
                memory_mib=limits.memory_mib,
                task_group=task_group,
            )

        async with open_code_cache(
            deno,
            Path(at.runtime_dir),
            boot=start,
            user_dir=shared if is_other_user else user_cache_dir(os.environ),
        ) as cache_dir:
            if is_other_user and not is_reachable(Path(cache_dir)):
                raise ConfinementUnavailable(
                    f"user {worker_uid} cannot read {cache_dir}; make its parents enterable for "
                    "everyone, or set TMPDIR to a directory that is"
                )
            rules = None
            if Layer.FILES in layers:
                rules = plan_rules(
                    machine.landlock_abi,
                    deno=at.deno,
                    linked=await to_thread.run_sync(linked_with, at.deno),
                    runtime_dir=at.runtime_dir,
                    cache_dir=cache_dir,
                )
            confinement = lock_down(layers, machine, rules, worker_uid)
            yield Site(deno, confined(prepared(cache_dir=cache_dir), confinement), states)


@asynccontextmanager
async def _entered_in_thread(context: AbstractContextManager[T]) -> AsyncIterator[T]:
    """Enter and leave a context whose file work may take a while."""
    entered = await to_thread.run_sync(context.__enter__)
    try:
        yield entered
    finally:
        with anyio.CancelScope(shield=True):
            await to_thread.run_sync(context.__exit__, None, None, None)
