"""The pool: where fleet, tools and runs meet.

Nothing is decided here. A pool brings up what its runs share, hands each run what it needs, and
takes everything down again in the opposite order, whatever happened in between.
"""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import Any, Final, Literal, NoReturn, Self, TypeAlias

import anyio
from anyio import to_thread
from anyio.abc import TaskGroup, TaskStatus

from pool.errors import LimitError, PoolClosed, UsageError
from pool.limits import Limits
from pool.program.files import sweep
from pool.program.outcome import Outcome
from pool.program.positions import well_formed
from pool.run import Request, Run, Shared
from pool.supervisor.fleet import Fleet
from pool.supervisor.proof import proven
from pool.supervisor.stats import Stats
from pool.tools.catalog import snapshot
from pool.tools.gate import Gate
from pool.tools.namespace import Namespace
from pool.tools.threads import Threads
from pool.tools.tool import Tool
from pool.tools.view import View
from pool.wire.frames import FrameLimits
from pool.worker.layers import WORKER_UID, LayerState, Profile
from pool.worker.process import Worker, boot
from pool.worker.site import open_site
from pool.worker.spawner_link import open_link
from pool.worker.spawners import open_spawners

logger = logging.getLogger(__name__)

Confinement: TypeAlias = Literal["require", "auto", "off"]

# Only Linux has the layers.
DEFAULT_CONFINEMENT: Final[Confinement] = "require" if sys.platform == "linux" else "auto"

# Runs that may wait. A thousand runs of a second each on two workers is as long as any caller
# waits; more than that is a request to be told so at once.
DEFAULT_MAX_QUEUE: Final = 1000

# A run that is told to stop takes a kill and a reap; see `pool.worker.process`.
STOP_S: Final = 10.0

# Temporary files of runs whose outcome nobody closed.
FILES_EXPIRE_S: Final = 24 * 3600.0

# How often a pool looks for such files; they may be that much older.
FILES_SWEEP_S: Final = 3600.0


class Pool(anyio.AsyncContextManagerMixin):
    """Runs programs in worker processes that wait ready.

        async with Pool() as pool:
            outcome = await pool.run("return 1 + 1")

    Args:
        size: Runs at once; by default as many as there are processors.
        spares: Workers kept ready beside those that serve runs. Even without any, one is brought
            up on entering, and waits for the first run.
        confinement: What to do about a layer of the kernel's that this machine does not have:
            `require` refuses to start, `auto` goes on without and logs a warning, `off` wants
            none of them. See docs/security.md for what each layer stops.
        limits: What one run may use; a run may lower them.
        max_queue: Runs that may wait for a worker; one more is answered `Unavailable`.
        worker_uid: User and group of the workers when the host is root.
        jit: False runs V8 without its compilers: programs are several times slower, and what
            attacks a compiler finds none.

    Raises:
        LimitError: A number is out of range.
        UsageError: There is no such confinement.
        ConfinementUnavailable: On entering: `require` cannot be met; the message says why.
        Unavailable: On entering: no usable Deno, or a worker does not come up, or one can do what
            it must not.

    Works under asyncio and trio.
    """

    def __init__(
        self,
        *,
        size: int | None = None,
        spares: int = 1,
        confinement: Confinement = DEFAULT_CONFINEMENT,
        limits: Limits | None = None,
        max_queue: int = DEFAULT_MAX_QUEUE,
        worker_uid: int = WORKER_UID,
        jit: bool = True,
    ) -> None:
        self._size = _whole("size", os.cpu_count() or 1 if size is None else size, least=1)
        self._spares = _whole("spares", spares, least=0)
        self._max_queue = _whole("max_queue", max_queue, least=0)
        self._profile = _profile(confinement)
        self._worker_uid = _whole("worker_uid", worker_uid, least=1)
        self._jit = jit
        self._limits = limits or Limits()
        self._shared: Shared | None = None

    @property
    def limits(self) -> Limits:
        """What runs of this pool may use at most."""
        return self._limits

    @asynccontextmanager
    async def __asynccontextmanager__(self) -> AsyncGenerator[Self, None]:
        async with AsyncExitStack() as stack:
            self._shared = await self._bring_up(stack)
            try:
                yield self
            finally:
                self._shared = None

    async def _bring_up(self, stack: AsyncExitStack) -> Shared:
        tasks = await stack.enter_async_context(_open_tasks())
        await tasks.start(_sweep_files)
        spawners = await stack.enter_async_context(open_spawners(partial(open_link, tasks)))
        site = await stack.enter_async_context(
            open_site(
                await spawners.live(),
                limits=self._limits,
                task_group=tasks,
                profile=self._profile,
                worker_uid=self._worker_uid,
                jit=self._jit,
            )
        )
        _warn_of_missing(site.layers)

        async def start_worker() -> Worker:
            return await boot(
                await spawners.live(),
                site.launch,
                frame_limits=FrameLimits.of(self._limits),
                memory_mib=self._limits.memory_mib,
                task_group=tasks,
            )

        fleet = Fleet(
            boot=await stack.enter_async_context(proven(start_worker)),
            size=self._size,
            spares=self._spares,
            max_queue=self._max_queue,
        )
        await stack.enter_async_context(fleet)
        return Shared(
            fleet=fleet,
            tasks=tasks,
            threads=Threads(self._limits.calls_in_flight * self._size),
            long_texts=anyio.CapacityLimiter(self._size),
        )

    async def run(
        self,
        source: str | bytes,
        *,
        tools: Iterable[Tool] = (),
        namespaces: Iterable[Namespace] = (),
        view: View | None = None,
        tenant: str | None = None,
        limits: Limits | None = None,
        store: Mapping[str, Any] | None = None,
        gate: Gate | None = None,
    ) -> Outcome:
        """Run one program to its end.

        Args:
            source: Body of an async JavaScript function, as text or UTF-8.
            tools: What it may call; those that no program may call are passed over.
            namespaces: What is known of groups of tools beside their members.
            view: What of the tools a session lets it call at each moment, and the identifiers that
                the session has shown before.
            tenant: Runs with the same key may be served by the same process, one after the
                other, each with fresh globals. Without one, the process serves this run only.
            limits: Fields that were given lower the pool's.
            store: The branch's committed values, JSON by key. Never changed: the writes of a
                completed run are in `Outcome.store`.
            gate: Permission and hooks that every call passes.

        Returns:
            What came of it. A program that fails, a run that finds no worker, a source that is
            refused: all are outcomes.

        Raises:
            UsageError: The request itself is wrong; nothing was started.

        Cancellation:
            Kills the worker and reaps it before the cancellation goes on.
        """
        run = self._new_run(
            source,
            tools=tools,
            namespaces=namespaces,
            view=view or View(),
            tenant=tenant,
            limits=limits,
            store=store,
            gate=gate,
        )
        try:
            return await run.execute()
        except anyio.get_cancelled_exc_class():
            run.remove_files()  # nobody gets the outcome that would
            raise

    @asynccontextmanager
    async def start(
        self,
        source: str | bytes,
        *,
        tools: Iterable[Tool] = (),
        namespaces: Iterable[Namespace] = (),
        view: View | None = None,
        tenant: str | None = None,
        limits: Limits | None = None,
        store: Mapping[str, Any] | None = None,
        gate: Gate | None = None,
    ) -> AsyncIterator[Run]:
        """Start a program and yield the handle on it; arguments as in `run`.

        Leaving the context before the program has ended cancels it, and waits until it is gone.
        """
        run = self._new_run(
            source,
            tools=tools,
            namespaces=namespaces,
            view=view or View(),
            tenant=tenant,
            limits=limits,
            store=store,
            gate=gate,
        )
        self._running().tasks.start_soon(run.execute_apart)
        try:
            yield run
        finally:
            run.cancel()
            with anyio.move_on_after(STOP_S, shield=True):
                await run.wait_over()

    def _new_run(
        self,
        source: str | bytes,
        *,
        tools: Iterable[Tool],
        namespaces: Iterable[Namespace],
        view: View,
        tenant: str | None,
        limits: Limits | None,
        store: Mapping[str, Any] | None,
        gate: Gate | None,
    ) -> Run:
        shared = self._running()
        request = Request(
            source=source,
            tenant=tenant,
            limits=self._limits.lowered(limits),
            catalog=snapshot(tools, namespaces=namespaces, view=view),
            store=_store_texts(store or {}),
            view=view,
            gate=gate,
        )
        return Run(request, shared)

    def stats(self) -> Stats:
        """Counters and gauges of this moment."""
        shared = self._running()
        stats = shared.fleet.stats()
        return replace(stats, late_results=stats.late_results + shared.threads.late_results)

    def _running(self) -> Shared:
        if self._shared is None:
            raise PoolClosed("the pool is not running: use it in an `async with` block")
        return self._shared


@asynccontextmanager
async def _open_tasks() -> AsyncIterator[TaskGroup]:
    """A task group whose tasks are told to stop on leaving, as tools that outlive their run are.

    What the body raises goes on as it is: the group alone would wrap it in an `ExceptionGroup`.
    """
    failure: BaseException | None = None
    async with anyio.create_task_group() as tasks:
        try:
            yield tasks
        except anyio.get_cancelled_exc_class():
            raise
        except BaseException as error:
            failure = error
        finally:
            tasks.cancel_scope.cancel()
    if failure is not None:
        raise failure


async def _sweep_files(*, task_status: TaskStatus[None]) -> NoReturn:
    """Remove what runs left behind, now and every `FILES_SWEEP_S`; started after the first time."""
    await _sweep_once()
    task_status.started()
    while True:
        await anyio.sleep(FILES_SWEEP_S)
        await _sweep_once()


async def _sweep_once() -> None:
    # A directory that cannot be read now may be later; no run depends on it.
    with suppress(OSError):
        await to_thread.run_sync(sweep, FILES_EXPIRE_S, abandon_on_cancel=True)


def _warn_of_missing(layers: Iterable[LayerState]) -> None:
    for state in layers:
        if state.is_wanted and not state.is_active:
            logger.warning("workers run without the layer %s: %s", state.layer, state.why_not)


def _profile(confinement: str) -> Profile:
    try:
        return Profile(confinement)
    except ValueError:
        names = ", ".join(Profile)
        raise UsageError(f"confinement is {confinement!r:.80}, not one of {names}") from None


def _whole(name: str, value: int, *, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise LimitError(f"{name} must be a whole number of at least {least}, not {value!r}")
    return value


def _store_texts(store: Mapping[str, Any]) -> dict[str, str]:
    """The branch's values as the compact JSON text that programs see and limits count."""
    texts = {}
    for key, value in store.items():
        if not isinstance(key, str):
            raise UsageError(f"a key of the store is {key!r:.80}, not text")
        try:
            text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        except (TypeError, ValueError, RecursionError) as error:
            raise UsageError(f"the store's value of {key!r:.80} is not JSON: {error}") from error
        texts[well_formed(key)] = well_formed(text)
    return texts
