"""Drives one program over the wire: start, calls, questions, output, end.

A session owns its worker from START until it returns. It knows no tools and no catalogue: calls
go to `on_call`, questions to `on_ask`, output to `on_output`, and all of them are plain callables
that do not wait. It answers a program only while the worker is idle, one answer a turn, so that
writes never meet a full pipe and the order of answers is the order the program sees.

Bytes of the worker are an attacker's: indices, tags, counts and sizes are checked again here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import anyio
import anyio.lowlevel
from anyio.abc import TaskGroup

from pool.errors import ProtocolFault, WorkerGone
from pool.limits import MIB, Limits
from pool.program.outcome import CallRecord
from pool.wire.frames import FrameLimits, frame
from pool.wire.layout import encode
from pool.wire.messages import (
    Ask,
    Call,
    Console,
    End,
    FromWorker,
    Hello,
    How,
    Idle,
    Image,
    Note,
    Ready,
    Settle,
    Start,
    Store,
    Text,
)
from pool.worker.answers import Answers, OnAsk
from pool.worker.calls import Calls, OnCall
from pool.worker.ending import Ending, Stop
from pool.worker.exit import EndKind
from pool.worker.process import Worker
from pool.worker.quota import OutputQuota, StoreQuota

Output = Text | Image | Console

# A union is made anew wherever it is written, which shows at a hundred thousand messages.
_OUTSIDE_RUNS: Final = (Hello, Ready)

# Frames taken in one go before other tasks get a turn. Without it a flood of output delayed a
# 100 ms deadline by 2.5 s and stood every other run still; with it the deadline is 0.2 ms late.
BURST_FRAMES: Final = 32

# What a killed worker left in its pipe is read to its end; the end comes with the last of its
# descriptors, a few milliseconds after SIGKILL.
DRAIN_S: Final = 1.0

# Time a tool gets to acknowledge that its call is cancelled when a program ends normally.
CANCEL_GRACE_S: Final = 1.0

# An allocation that fails with less than this share of the budget in use was simply too large;
# with more, the program had used its memory up.
FULL_SHARE: Final = 0.5

# A source needs two or three; more is not what a sound worker says.
MAX_NOTES: Final = 8

_ALLOCATION_FAILED: Final = "Array buffer allocation failed"


@dataclass(frozen=True, slots=True)
class Callbacks:
    """What a session asks of its caller. None of them may wait, except what `on_call` returns.

    What `on_call` and `on_ask` raise rejects the call or question; the others must not raise.
    """

    on_call: OnCall
    on_ask: OnAsk
    on_output: Callable[[Output], None]
    on_call_end: Callable[[CallRecord], None]
    on_late_result: Callable[[], None]


class Session:
    """One run on one worker.

    Args:
        start: What to run; its tag is the run's.
        deadline: When the program's time is over, on `anyio.current_time()`'s clock.
        tasks: Where awaited calls run; it must outlive the session (see `Calls`).
    """

    def __init__(
        self,
        worker: Worker,
        start: Start,
        *,
        limits: Limits,
        deadline: float,
        callbacks: Callbacks,
        tasks: TaskGroup,
    ) -> None:
        self._worker = worker
        self._channel = worker.channel
        self._start = start
        self._limits = limits
        self._offered = start.catalog.names
        self._callbacks = callbacks
        self._output = OutputQuota(limits)
        self._store_quota = StoreQuota(start.store)
        self._answers = Answers(start.tag, callbacks.on_ask)
        self._calls = Calls(
            on_call=callbacks.on_call,
            in_flight=limits.calls_in_flight,
            tasks=tasks,
            on_settled=self._answers.add_settled,
            flush=self._flush,
            on_end=callbacks.on_call_end,
            on_late=callbacks.on_late_result,
        )
        self._scope = anyio.CancelScope(deadline=deadline)
        self._stop: Stop | None = None
        self._detail = ""
        self._end: End | None = None
        self._store: Store | None = None
        self._notes: list[str] = []
        self._open_calls: dict[int, str] = {}
        self._is_idle = False
        self._is_sending = False
        self._delivered = 0

    def cancel(self) -> None:
        """Stop the program. Its outcome has reason `Cancelled`, unless it is over already."""
        self._give_up(Stop.CANCELLED)

    def _give_up(self, stop: Stop) -> None:
        if not self._is_over:
            self._stop = stop
            self._scope.cancel()

    async def drive(self) -> Ending:
        """Run the program to its end.

        Cancellation:
            Open calls are cancelled and the worker is left as it is: whoever leased it kills it.
        """
        began_at = anyio.current_time()
        try:
            await self._converse()
            if self._stop is not None:
                # First of all: to settle 100,000 calls takes longer than a program may go on.
                self._worker.sigkill()
            active_s = anyio.current_time() - began_at
            hit_limit = self._hit_memory_limit()
            await self._finish_calls()
            worker_end = await self._put_down() if self._stop is not None else None
        finally:
            self._calls.cancel()
        return Ending(
            end=self._end,
            store=None if self._end is None else self._store,
            stop=self._stop,
            detail=self._detail,
            worker_end=worker_end,
            hit_memory_limit=hit_limit,
            calls=self._calls.records,
            open_calls=self._open_calls,
            notes=tuple(self._notes),
            active_s=active_s,
            peak_rss_bytes=self._worker.peak_rss_bytes(),
            is_clean=self._is_clean(),
        )

    async def _converse(self) -> None:
        self._channel.hold_to(FrameLimits.of(self._limits))
        with self._scope:
            try:
                await self._channel.send(frame(encode(self._start)))
                await self._read()
            except ProtocolFault as fault:
                self._detail = str(fault)
                self._give_up(Stop.PROTOCOL)
            except WorkerGone:
                self._give_up(Stop.GONE)
        if not self._is_over:
            self._stop = Stop.TIMEOUT

    async def _read(self) -> None:
        burst = 0
        while not self._is_over:
            message = self._channel.receive_nowait()
            if message is None:
                await self._channel.wait_readable()
                burst = 0
                continue
            self._take(message)
            if self._is_idle:
                await self._flush()
            burst += 1
            if burst == BURST_FRAMES:
                burst = 0
                await self._breathe()

    async def _breathe(self) -> None:
        # Timers fire only when the event loop gets to them; a flood keeps it from that.
        if anyio.current_time() >= self._scope.deadline:
            self._scope.cancel()
        await anyio.lowlevel.checkpoint()

    def _take(self, message: FromWorker) -> None:
        if isinstance(message, _OUTSIDE_RUNS) or message.tag != self._start.tag:
            raise ProtocolFault(f"{type(message).__name__} that does not belong to the run")
        match message:
            case Text() | Image() | Console():
                self._take_output(message)
            case Call():
                self._take_call(message)
            case Ask():
                self._take_ask(message)
            case Idle():
                if self._is_idle or message.delivered != self._delivered:
                    raise ProtocolFault("IDLE out of turn")
                self._is_idle = True
            case Store():
                self._take_store(message)
            case Note():
                self._take_note(message)
            case _:
                self._take_end(message)

    def _take_output(self, message: Output) -> None:
        if not self._output.take(message):
            self._stop = Stop.OUTPUT_TOO_LARGE
            return
        self._callbacks.on_output(message)

    def _take_call(self, call: Call) -> None:
        if call.index != self._calls.count or call.index >= self._limits.calls:
            raise ProtocolFault("CALL out of order or beyond its limit")
        if call.name not in self._offered:
            # A tool the run does not have is unknown to its program too; and a name is kept.
            raise ProtocolFault("CALL of a tool that was not offered")
        self._calls.begin(call, self._channel.footprint_bytes)
        self._check_held()

    def _take_ask(self, ask: Ask) -> None:
        if ask.id != self._answers.asked:
            raise ProtocolFault("ASK out of order")
        self._answers.add_question(ask, self._channel.footprint_bytes)
        self._check_held()

    def _check_held(self) -> None:
        # What a program hands over and nobody is done with is its memory still. Without this,
        # calls in a loop that never pauses fill the host's.
        held_bytes = self._calls.held_bytes + self._answers.held_bytes
        if held_bytes > self._limits.memory_mib * MIB:
            self._stop = Stop.MEMORY

    def _take_store(self, store: Store) -> None:
        if self._store is not None:
            raise ProtocolFault("STORE twice")
        self._store_quota.check(store)
        self._store = store

    def _take_note(self, note: Note) -> None:
        if len(self._notes) == MAX_NOTES:
            raise ProtocolFault("NOTE too often")
        self._notes.append(note.text)

    def _take_end(self, end: End) -> None:
        if end.items != self._output.items or end.calls != self._calls.count:
            raise ProtocolFault("END counts other messages than arrived")
        if self._store is not None and end.how not in (How.COMPLETED, How.EXITED):
            raise ProtocolFault("STORE of a program that failed")
        if end.value and not self._output.holds_value(end.value[0], self._channel.frame_bytes):
            self._stop = Stop.OUTPUT_TOO_LARGE
            return
        self._end = end

    async def _flush(self) -> None:
        """Send the next answer, if there is one and the worker is idle."""
        if not (self._is_idle and self._answers) or self._is_over:
            return
        self._is_idle = False
        self._delivered += 1
        answer = self._answers.take()
        if isinstance(answer, Settle):
            self._calls.delivered()
        self._is_sending = True
        try:
            await self._channel.send(frame(encode(answer)))
        except WorkerGone:
            # A worker that only takes no input would keep the reader waiting.
            self._give_up(Stop.GONE)
            return
        self._is_sending = False

    @property
    def _is_over(self) -> bool:
        return self._end is not None or self._stop is not None

    async def _finish_calls(self) -> None:
        self._open_calls = self._calls.open_names
        self._calls.cancel()
        if self._stop is None:
            await self._calls.wait_returned(CANCEL_GRACE_S)

    async def _put_down(self) -> EndKind:
        """Reap the killed worker; keep what it had said before."""
        # What stands behind a fault is not to be believed.
        if self._stop is not Stop.PROTOCOL:
            with anyio.move_on_after(DRAIN_S, shield=True):
                await self._drain()
        return await self._worker.kill()

    async def _drain(self) -> None:
        try:
            while True:
                for _ in range(BURST_FRAMES):
                    message = await self._channel.receive()
                    if isinstance(message, Note):
                        self._take_note(message)
                    elif isinstance(message, Output) and message.tag == self._start.tag:
                        if not self._output.take(message):
                            return
                        self._callbacks.on_output(message)
                await anyio.lowlevel.checkpoint()
        except (ProtocolFault, WorkerGone):
            return

    def _hit_memory_limit(self) -> bool:
        error = None if self._end is None else self._end.error
        if error is None or (error.name, error.message) != ("RangeError", _ALLOCATION_FAILED):
            return False
        return self._worker.memory_share() >= FULL_SHARE

    def _is_clean(self) -> bool:
        if self._end is None or self._stop is not None or self._is_sending:
            return False
        return self._end.how in (How.COMPLETED, How.EXITED)
