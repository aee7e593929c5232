"""The pool for code that has no event loop: scripts and notebooks.

A thin face over `Pool`, which runs on an event loop in a thread of its own. There is no second
implementation and there are no other semantics; only the live handle has no blocking form.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from functools import partial
from types import TracebackType
from typing import Any, Self

from anyio.from_thread import BlockingPortal, start_blocking_portal

from pool.engine import Pool
from pool.errors import PoolClosed
from pool.limits import Limits
from pool.program.outcome import Outcome
from pool.supervisor.stats import Stats
from pool.tools.gate import Gate
from pool.tools.namespace import Namespace
from pool.tools.tool import Tool
from pool.tools.view import View


class BlockingPool:
    """A pool whose `run` blocks the calling thread. Takes the arguments of `Pool`.

    Safe to use from several threads at once; their runs overlap as far as the pool's size allows.

        with BlockingPool() as pool:
            outcome = pool.run("return 1 + 1")
    """

    def __init__(self, **options: Any) -> None:
        self._pool = Pool(**options)
        self._stack = ExitStack()
        self._portal: BlockingPortal | None = None

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            portal = stack.enter_context(start_blocking_portal())
            stack.enter_context(portal.wrap_async_context_manager(self._pool))
            self._stack = stack.pop_all()
        self._portal = portal
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._portal = None
        self._stack.__exit__(kind, error, traceback)

    def run(
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
        """Run one program; see `Pool.run`. An interrupt (Ctrl-C) cancels the run."""
        if self._portal is None:
            raise PoolClosed("the pool is not running: use it in a `with` block")
        call = partial(
            self._pool.run,
            source,
            tools=tools,
            namespaces=namespaces,
            view=view,
            tenant=tenant,
            limits=limits,
            store=store,
            gate=gate,
        )
        future = self._portal.start_task_soon(call)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def stats(self) -> Stats:
        """Counters and gauges of the pool at this moment."""
        return self._pool.stats()
