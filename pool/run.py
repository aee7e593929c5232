"""One run, from the request to its outcome, and the live handle on it.

A run prepares the source, leases a worker, drives a session on it and has `verdict` compose the
outcome. What comes of the program is collected here as events, in order.
"""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter
from typing import Final, Self, TypeAlias

import anyio
from anyio import CapacityLimiter, to_thread
from anyio.abc import TaskGroup

from pool import verdict
from pool.errors import PoolClosed, SourceRefused, Unavailable
from pool.limits import Limits
from pool.program.files import RunFiles
from pool.program.full_text import full_text
from pool.program.outcome import CallRecord, ConsoleLine, ImageItem, Outcome, TextItem, Timings
from pool.program.render import is_cut
from pool.program.source import Program, prepare
from pool.supervisor.fleet import Fleet
from pool.supervisor.lease import Lease
from pool.tools.catalog import Catalog
from pool.tools.context import CallProgress
from pool.tools.dispatch import Dispatcher
from pool.tools.gate import Gate
from pool.tools.threads import Threads
from pool.tools.view import View, gone, unsuggested
from pool.wire.messages import NO_RUN, Call, Console, Image, Start, Text
from pool.worker.calls import Begun
from pool.worker.ending import Ending
from pool.worker.session import Callbacks, Output, Session

_TAG_BITS: Final = 64

# Up to here even a source made to be slow is prepared in a few milliseconds; a longer one would
# hold up every other run, and goes to a thread.
QUICK_SOURCE_CHARS: Final = 64 * 1024


@dataclass(frozen=True, slots=True)
class CallStarted:
    """A call was handed to its tool; its `CallRecord` follows when it has ended."""

    index: int
    name: str


Event: TypeAlias = TextItem | ImageItem | ConsoleLine | CallStarted | CallProgress | CallRecord


@dataclass(frozen=True, slots=True)
class Request:
    """What one run is asked to do.

    Attributes:
        limits: The pool's limits, lowered by the caller.
        store: The branch's committed values as compact JSON text.
        view: The session's look at its tools.
        gate: What its calls pass before and after their tools run.
    """

    source: str | bytes
    tenant: str | None
    limits: Limits
    catalog: Catalog
    store: Mapping[str, str]
    view: View
    gate: Gate | None


@dataclass(frozen=True, slots=True)
class Shared:
    """What all runs of one pool have in common.

    Attributes:
        tasks: Where calls run; outlives every run.
        threads: Threads for the plain functions among the tools.
        long_texts: Threads for long sources and full outputs. Not those of the application: they
            may all be taken by functions that wait for a run.
    """

    fleet: Fleet
    tasks: TaskGroup
    threads: Threads
    long_texts: CapacityLimiter


class Run:
    """A program on its way. Made by `Pool.start`.

    Iterating yields every event from the first on and ends with the run. It may be done at any
    time and more than once.
    """

    def __init__(self, request: Request, shared: Shared) -> None:
        self._request = request
        self._shared = shared
        self._dispatcher = Dispatcher(
            request.catalog,
            threads=shared.threads,
            result_bytes=request.limits.result_bytes,
            view=request.view,
            gate=request.gate,
            on_progress=self._on_progress,
        )
        self._open_calls: set[int] = set()
        self._events: list[Event] = []
        self._news: anyio.Event | None = None
        self._notes: list[str] = []
        self._files = RunFiles()
        self._scope = anyio.CancelScope()
        self._session: Session | None = None
        self._outcome: Outcome | None = None
        self._failure: Exception | None = None
        self._asked_at = anyio.current_time()
        self._leased_at: float | None = None
        self._started_at: float | None = None

    def cancel(self) -> None:
        """Stop the program; its outcome has reason `Cancelled`. Too late, it changes nothing."""
        if self._session is None:
            self._scope.cancel()
        else:
            self._session.cancel()

    async def outcome(self) -> Outcome:
        """Wait for the end, and return what came of the run.

        Raises:
            Exception: What `Pool.run` would have raised; a fault of the host, not of the program.
        """
        while self._outcome is None:
            if self._failure is not None:
                raise self._failure
            await self._wait_for_news()
        return self._outcome

    def __aiter__(self) -> AsyncIterator[Event]:
        return _Events(self)

    async def event(self, number: int) -> Event | None:
        """Wait for the event of this number, from 0; None when the run is over without it."""
        while number >= len(self._events):
            if self._is_over:
                return None
            await self._wait_for_news()
        return self._events[number]

    async def execute(self) -> Outcome:
        """Run the program to its end; called once, by the pool.

        Cancellation:
            The worker is killed and reaped before the cancellation goes on. While the full output
            is written, it waits for the disk.
        """
        try:
            self._outcome = await self._with_full_output(await self._execute())
        except anyio.get_cancelled_exc_class():
            self._outcome = verdict.cancelled(
                self._timings(),
                output=self._output(),
                console=self._console(),
                calls=self._calls(),
                files_dir=self._files.directory,
            )
            raise
        except Exception as failure:
            self.remove_files()
            self._failure = failure
            raise
        finally:
            self._tell()
        return self._outcome

    async def execute_apart(self) -> None:
        """`execute` in a task of its own, where `outcome` is how anybody hears of a failure."""
        with suppress(Exception):
            await self.execute()

    def remove_files(self) -> None:
        """Remove the temporary files of a run whose outcome nobody gets."""
        self._files.close()

    async def wait_over(self) -> None:
        """Wait for the end, however it comes."""
        while not self._is_over:
            await self._wait_for_news()

    @property
    def _is_over(self) -> bool:
        return self._outcome is not None or self._failure is not None

    async def _execute(self) -> Outcome:
        request = self._request
        try:
            program = await self._prepare()
        except SourceRefused as error:
            return verdict.refused(error, request.source, self._timings())
        timeout_ms = program.options.timeout_ms or request.limits.timeout_ms
        try:
            with self._scope:
                async with self._shared.fleet.lease(
                    tenant=request.tenant,
                    deadline=self._asked_at + timeout_ms / 1000,
                    memory_mib=request.limits.memory_mib,
                ) as lease:
                    return await self._drive(lease, program, timeout_ms)
        except Unavailable as error:
            return verdict.unavailable(error, self._timings())
        except PoolClosed:
            return verdict.cancelled(self._timings(), "the pool was closed")
        return verdict.cancelled(self._timings())

    async def _prepare(self) -> Program:
        prepared = partial(prepare, self._request.source, limits=self._request.limits)
        if len(self._request.source) <= QUICK_SOURCE_CHARS:
            return prepared()
        return await to_thread.run_sync(
            prepared, abandon_on_cancel=True, limiter=self._shared.long_texts
        )

    async def _drive(self, lease: Lease, program: Program, timeout_ms: int) -> Outcome:
        limits = self._request.limits
        self._leased_at = anyio.current_time()
        await lease.worker.limit_memory(limits.memory_mib)
        self._session = session = Session(
            lease.worker,
            self._start(program),
            limits=limits,
            deadline=self._asked_at + timeout_ms / 1000,
            callbacks=Callbacks(
                on_call=self._on_call,
                on_ask=self._dispatcher.answer,
                on_output=self._on_output,
                on_call_end=self._on_call_end,
                on_late_result=self._shared.fleet.count_late_result,
            ),
            tasks=self._shared.tasks,
        )
        self._started_at = anyio.current_time()
        ending = self._without_gone(await session.drive())
        lease.release(ending)
        wanted_tokens = program.options.max_output_tokens
        course = verdict.Course(
            program=program,
            timeout_ms=timeout_ms,
            max_output_tokens=limits.max_output_tokens if wanted_tokens is None else wanted_tokens,
            output=self._output(),
            console=self._console(),
            notes=tuple(self._notes),
            files_dir=self._files.directory,
            timings=self._timings(ending.active_s),
            killed_for=lease.killed_for,
        )
        return verdict.compose(course, ending)

    def _without_gone(self, ending: Ending) -> Ending:
        """The ending whose error suggests no tool that has gone meanwhile."""
        end = ending.end
        if end is None or end.error is None:
            return ending
        identifiers = gone(self._request.view, self._request.catalog.entries)
        error = replace(end.error, message=unsuggested(end.error.message, identifiers))
        return replace(ending, end=replace(end, error=error))

    async def _with_full_output(self, outcome: Outcome) -> Outcome:
        """The outcome with the file that its text names where the run's own budget cuts it."""
        if not is_cut(outcome):
            return outcome
        path, notes = None, outcome.notes
        try:
            # Not abandoned: a file that appears after the run is over is nobody's to remove.
            path = await to_thread.run_sync(
                lambda: self._files.save_output(full_text(outcome)),
                limiter=self._shared.long_texts,
            )
        except OSError as error:
            notes = (*notes, f"The full output could not be saved: {error.strerror}.")
        return replace(outcome, output_path=path, notes=notes, files_dir=self._files.directory)

    def _start(self, program: Program) -> Start:
        limits = self._request.limits
        return Start(
            tag=secrets.randbits(_TAG_BITS) or NO_RUN + 1,
            source=program.source,
            catalog=self._request.catalog.listing,
            store=self._request.store,
            limits={
                "calls": limits.calls,
                "argument_bytes": limits.argument_bytes,
                "output_chars": limits.output_chars,
                "output_items": limits.output_items,
            },
            code=program.code,
        )

    def _on_call(self, call: Call) -> Begun:
        self._open_calls.add(call.index)
        self._add(CallStarted(call.index, call.name))
        return self._dispatcher.begin(call)

    def _on_progress(self, report: CallProgress) -> None:
        # A tool that was cancelled may go on for a while; its call is over.
        if report.index in self._open_calls:
            self._add(report)

    def _on_call_end(self, record: CallRecord) -> None:
        self._open_calls.discard(record.index)
        self._add(record)

    def _on_output(self, message: Output) -> None:
        match message:
            case Text():
                self._add(TextItem(message.text))
            case Console():
                self._add(ConsoleLine(str(message.level), message.text))
            case Image():
                self._save(message)

    def _save(self, image: Image) -> None:
        try:
            self._add(self._files.save_image(image.mime_type, image.data))
        except OSError as error:
            self._notes.append(f"An image could not be saved: {error.strerror}.")

    def _output(self) -> tuple[TextItem | ImageItem, ...]:
        return tuple(event for event in self._events if isinstance(event, TextItem | ImageItem))

    def _console(self) -> tuple[ConsoleLine, ...]:
        return tuple(event for event in self._events if isinstance(event, ConsoleLine))

    def _calls(self) -> tuple[CallRecord, ...]:
        records = (event for event in self._events if isinstance(event, CallRecord))
        return tuple(sorted(records, key=attrgetter("index")))

    def _add(self, event: Event) -> None:
        self._events.append(event)
        self._tell()

    def _tell(self) -> None:
        if self._news is not None:
            self._news.set()
            self._news = None

    async def _wait_for_news(self) -> None:
        if self._news is None:
            self._news = anyio.Event()
        await self._news.wait()

    def _timings(self, active_s: float = 0.0) -> Timings:
        now = anyio.current_time()
        leased_at = self._leased_at or now
        started_at = self._started_at or leased_at
        return Timings(
            queue_ms=(leased_at - self._asked_at) * 1000,
            start_ms=(started_at - leased_at) * 1000,
            active_ms=active_s * 1000,
            total_ms=(now - self._asked_at) * 1000,
        )


class _Events:
    """An iteration over a run's events. No generator: one that is left early needs closing."""

    __slots__ = ("_run", "_seen")

    def __init__(self, run: Run) -> None:
        self._run = run
        self._seen = 0

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Event:
        event = await self._run.event(self._seen)
        if event is None:
            raise StopAsyncIteration
        self._seen += 1
        return event
