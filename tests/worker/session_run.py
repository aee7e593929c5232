"""One session on a scripted worker, with everything it told its caller."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import anyio
import msgpack
import pytest
import trio.testing  # noqa: TID251 - asyncio has no clock that jumps
from anyio.abc import TaskGroup
from scripted_worker import ScriptedWorker, scripted_worker
from wire import guest_frames as guest

from pool.limits import Limits
from pool.program.outcome import CallRecord
from pool.wire.messages import Ask, Call, CatalogEntry, Kind, Listing, Settled, Start
from pool.worker.calls import Begun
from pool.worker.ending import Ending
from pool.worker.session import Callbacks, Output, Session

# More than any bound of the code under test.
TOO_LONG_S = 15.0

TOOLS = ("a", "b", "c", "deaf", "echo", "slow", "slower")
CATALOG = Listing.of(CatalogEntry(name, name, "") for name in TOOLS)


def answered(value: Any, *, ok: bool = True) -> Settled:
    return Settled(ok=ok, payload=msgpack.packb(value))


class SessionRun:
    """Tools wait for `finish`, questions are answered with their own argument."""

    def __init__(
        self,
        worker: ScriptedWorker,
        tasks: TaskGroup,
        *,
        limits: Limits | None = None,
        deadline: float | None = None,
        store: dict[str, str] | None = None,
        on_call: Callable[[Call], Begun] | None = None,
        on_ask: Callable[[Ask], Settled] | None = None,
    ) -> None:
        self.worker = worker
        self.output: list[Output] = []
        self.calls: list[Call] = []
        self.asks: list[Ask] = []
        self.ends: list[CallRecord] = []
        self.gates: dict[int, anyio.Event] = {}
        self.on_output: Callable[[Output], None] = lambda message: None
        self._ending: Ending | None = None
        self._over = anyio.Event()
        self.session = Session(
            worker,  # type: ignore[arg-type]
            Start(guest.TAG, "return 1", CATALOG, store or {}, {"calls": 1}, (0, 8)),
            limits=limits or Limits(),
            deadline=anyio.current_time() + 60 if deadline is None else deadline,
            callbacks=Callbacks(
                on_call=on_call or self._call,
                on_ask=on_ask or self._ask,
                on_output=self._hear,
                on_call_end=self.ends.append,
                on_late_result=lambda: None,
            ),
            tasks=tasks,
        )

    def _hear(self, message: Output) -> None:
        self.output.append(message)
        self.on_output(message)

    def _call(self, call: Call) -> Begun:
        self.calls.append(call)
        self.gates[call.index] = anyio.Event()
        return partial(self._work, call.index)

    async def _work(self, index: int) -> Settled:
        await self.gates[index].wait()
        return answered(f"result {index}")

    def _ask(self, ask: Ask) -> Settled:
        self.asks.append(ask)
        return answered(ask.argument)

    async def finish(self, index: int) -> None:
        """Have the tool of a call return, once the call is there."""
        await self.until(lambda: index in self.gates)
        self.gates[index].set()

    async def drive(self) -> None:
        self._ending = await self.session.drive()
        self._over.set()

    async def started(self) -> None:
        """Hear START, as a worker does first."""
        message = await self.worker.hear()
        assert message[1] == Kind.START

    async def ending(self) -> Ending:
        await self._over.wait()
        assert self._ending is not None
        return self._ending

    @property
    def is_over(self) -> bool:
        return self._over.is_set()

    async def until(self, is_so: Callable[[], bool]) -> None:
        while not is_so():
            await anyio.lowlevel.checkpoint()

    @property
    def texts(self) -> list[str]:
        return [getattr(message, "text", "image") for message in self.output]


class Deaf:
    """A tool that goes on when it is cancelled."""

    def __init__(self) -> None:
        self.at_work = anyio.Event()
        self.gate = anyio.Event()

    async def __call__(self) -> Settled:
        self.at_work.set()
        with anyio.CancelScope(shield=True):
            await self.gate.wait()
        return answered("too late")


@asynccontextmanager
async def session_run(worker: ScriptedWorker | None = None, **options: Any) -> AsyncIterator[Any]:
    """A session that is being driven; whatever hangs fails."""
    with scripted_worker(worker) as worker, anyio.fail_after(TOO_LONG_S):
        async with anyio.create_task_group() as tasks:
            run = SessionRun(worker, tasks, **options)
            tasks.start_soon(run.drive)
            yield run
            tasks.cancel_scope.cancel()


def on_a_clock_that_jumps() -> pytest.MarkDecorator:
    """Run a test under trio alone, with a clock that skips every wait for time."""
    clock = trio.testing.MockClock(autojump_threshold=0)
    return pytest.mark.parametrize("anyio_backend", [("trio", {"clock": clock})], ids=["jumping"])
