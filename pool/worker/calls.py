"""The tool calls of one run: which are open, which wait for room, how each ended.

Tools themselves live elsewhere: a call is handed to `on_call`, which answers at once or says
what to await. Every call that began has exactly one end, whatever the tool does.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

import anyio
import msgpack
from anyio.abc import TaskGroup

from pool.program.outcome import CallRecord, CallStatus
from pool.wire.messages import Call, Settled

logger = logging.getLogger(__name__)

Begun = Settled | Callable[[], Awaitable[Settled]]
OnCall = Callable[[Call], Begun]

# What an open call or question takes on the host beside what it brings with it.
OPEN_BYTES: Final = 512

HOST_FAULT: Final = Settled(
    ok=False,
    payload=msgpack.packb({"name": "Error", "message": "the host could not carry out this call"}),
)


@dataclass(slots=True, eq=False)
class _OpenCall:
    call: Call
    size_bytes: int
    began_at: float
    scope: anyio.CancelScope | None = None  # of a call that is awaited


class Calls:
    """Runs the calls of one program, at most `in_flight` at a time, in the order they were made.

    A call is in flight until its answer has left for the worker, so that results which the
    program is too busy to take do not pile up here.

    Args:
        on_call: Answers a call at once, or returns what to await for its answer. It may raise;
            the call is then settled as failed and the run goes on.
        tasks: Where awaited calls run. It must outlive the run, because a tool that ignores its
            cancellation must not hold the run's outcome back.
        on_settled: Takes the answer of call `index`; does not wait.
        flush: Sends what there is to send, if the worker takes it; never raises.
        on_end: Told of every call that has ended; does not wait.
        on_late: Told of every answer that comes after the end of its call and is dropped.

    Attributes:
        count: Calls made so far.
        held_bytes: Size of the calls that have no end yet.
    """

    def __init__(
        self,
        *,
        on_call: OnCall,
        in_flight: int,
        tasks: TaskGroup,
        on_settled: Callable[[int, Settled], None],
        flush: Callable[[], Awaitable[None]],
        on_end: Callable[[CallRecord], None],
        on_late: Callable[[], None],
    ) -> None:
        self._on_call = on_call
        self._room = in_flight
        self._tasks = tasks
        self._on_settled = on_settled
        self._flush = flush
        self._on_end = on_end
        self._on_late = on_late
        self._open: dict[int, _OpenCall] = {}
        self._waiting: deque[_OpenCall] = deque()
        self._records: list[CallRecord] = []
        self._running = 0
        self._is_closed = False
        self._all_returned: anyio.Event | None = None
        self.count = 0
        self.held_bytes = 0

    @property
    def open_names(self) -> dict[int, str]:
        """Canonical names, by index, of the calls that have no end yet."""
        return {index: entry.call.name for index, entry in self._open.items()}

    @property
    def records(self) -> tuple[CallRecord, ...]:
        """Every call that has ended, by index."""
        return tuple(sorted(self._records, key=lambda record: record.index))

    def begin(self, call: Call, size_bytes: int) -> None:
        """Start a call, or queue it when there is no room."""
        self.count += 1
        entry = _OpenCall(call, size_bytes + OPEN_BYTES, time.perf_counter())
        self._open[call.index] = entry
        self._waiting.append(entry)
        self.held_bytes += entry.size_bytes
        self._start_waiting()

    def delivered(self) -> None:
        """The answer of a call has left: there is room for another."""
        self._room += 1
        self._start_waiting()

    def _start_waiting(self) -> None:
        while self._waiting and self._room:
            self._start(self._waiting.popleft())

    def _start(self, entry: _OpenCall) -> None:
        self._room -= 1
        try:
            answer = self._on_call(entry.call)
        except Exception:
            logger.exception("call %d could not be dispatched", entry.call.index)
            answer = HOST_FAULT
        if isinstance(answer, Settled):
            self._settle(entry, answer)
            return
        self._running += 1
        entry.scope = anyio.CancelScope()
        self._tasks.start_soon(self._await, entry, entry.scope, answer)

    async def _await(
        self, entry: _OpenCall, scope: anyio.CancelScope, run: Callable[[], Awaitable[Settled]]
    ) -> None:
        settled: Settled | None = None
        try:
            # The run may have ended before this task got its first turn.
            if not self._is_closed:
                with scope:
                    settled = await run()
        except Exception:
            # A tool's own errors are answers; this is a fault of the host's, and the group the
            # task runs in is everybody's.
            logger.exception("call %d broke outside its tool", entry.call.index)
            settled = HOST_FAULT
        finally:
            self._running -= 1
            if self._running == 0 and self._all_returned is not None:
                self._all_returned.set()
        if settled is None:
            return
        if self._is_closed:
            self._on_late()
            return
        self._settle(entry, settled)
        await self._flush()

    def _settle(self, entry: _OpenCall, settled: Settled) -> None:
        self._record(entry, CallStatus.OK if settled.ok else CallStatus.ERROR)
        del self._open[entry.call.index]
        self.held_bytes -= entry.size_bytes
        self._on_settled(entry.call.index, settled)

    def _record(self, entry: _OpenCall, status: CallStatus) -> None:
        elapsed_ms = (time.perf_counter() - entry.began_at) * 1000
        record = CallRecord(entry.call.index, entry.call.name, status, elapsed_ms)
        self._records.append(record)
        self._on_end(record)

    def cancel(self) -> None:
        """End every open call as cancelled. Answers that still come are dropped."""
        if self._is_closed:
            return
        self._is_closed = True
        self._waiting.clear()
        for entry in self._open.values():
            self._record(entry, CallStatus.CANCELLED)
            if entry.scope is not None:
                entry.scope.cancel()
        self._open.clear()

    async def wait_returned(self, grace_s: float) -> None:
        """Wait until no tool of this run is at work, at most `grace_s` seconds."""
        if self._running == 0:
            return
        self._all_returned = anyio.Event()
        with anyio.move_on_after(grace_s):
            await self._all_returned.wait()
