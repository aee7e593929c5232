"""The workers of one pool: who gets which, and when. Carries out what `placement` decides.

Everything that happens (a request, a boot, an end) changes facts and then calls `_settle`, which
decides and acts without waiting; so there is no moment between a decision and its effect, and no
wake-up to lose. The processes themselves are the `Crew`'s.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import count
from typing import Final, NoReturn, Self

import anyio
from anyio.lowlevel import checkpoint_if_cancelled

from pool.errors import BootFailed, CodepoolError, NoWorker, PoolClosed, QueueFull
from pool.supervisor.crew import Crew
from pool.supervisor.facts import (
    Assign,
    Boot,
    Condition,
    Decision,
    Facts,
    Policy,
    Refusal,
    Refuse,
    Retire,
    State,
    Why,
)
from pool.supervisor.lease import Lease
from pool.supervisor.placement import decide, last_word
from pool.supervisor.queue import FairQueue, Request
from pool.supervisor.roster import Member, Ticket
from pool.supervisor.stats import Stats, Tally
from pool.supervisor.watchdog import Watchdog
from pool.worker.process import Worker

# Runs that are under way when the pool closes may end by themselves for this long.
DRAIN_S: Final = 5.0

# Above what the worker itself allows for a kill: only a wait that nothing else ended gets here.
GONE_S: Final = 10.0


class Fleet(anyio.AsyncContextManagerMixin):
    """Workers that boot, serve, get ready again and end.

        async with Fleet(boot=boot, size=4, spares=1, max_queue=100) as fleet:
            async with fleet.lease(tenant="a", memory_mib=256, deadline=deadline) as lease:
                ...

    Args:
        boot: Starts a worker and returns it ready. Cleans up after itself when it fails or is
            cancelled.
        size: Runs at once.
        spares: Unassigned workers kept ready beside those.
        max_queue: Requests that may wait while `size` runs are under way or about to be.
        policy: When workers are spent and boots hopeless.
        watchdog: Watches the memory of busy workers.
        clock: Seconds; deadlines of leases are on the same clock.

    Cancellation:
        Kills and reaps every worker before it goes on.
    """

    def __init__(
        self,
        *,
        boot: Callable[[], Awaitable[Worker]],
        size: int,
        spares: int,
        max_queue: int,
        policy: Policy | None = None,
        watchdog: Watchdog | None = None,
        clock: Callable[[], float] = anyio.current_time,
    ) -> None:
        self._boot = boot
        self._size = size
        self._spares = spares
        self._max_queue = max_queue
        self._policy = policy or Policy()
        self._watchdog = watchdog or Watchdog()
        self._clock = clock
        self._ids = count(1)
        self._queue = FairQueue()
        self._tickets: dict[int, Ticket] = {}
        self._tally = Tally()
        self._is_open = False
        self._quiet: anyio.Event | None = None
        self._crew: Crew

    @asynccontextmanager
    async def __asynccontextmanager__(self) -> AsyncGenerator[Self, None]:
        failure: BaseException | None = None
        async with anyio.create_task_group() as tasks:
            self._crew = Crew(
                tasks=tasks,
                boot=self._boot,
                is_awaited=lambda: bool(self._tickets),
                on_change=self._settle,
                policy=self._policy,
                tally=self._tally,
                clock=self._clock,
            )
            tasks.start_soon(self._watchdog.run)
            tasks.start_soon(self._sweep)
            self._is_open = True
            self._settle()
            try:
                yield self
                await self.drain()
            except anyio.get_cancelled_exc_class():
                raise
            except BaseException as error:
                # Raised again below: the task group would wrap the caller's own error in a group.
                failure = error
            finally:
                self._close()
                tasks.cancel_scope.cancel()
        if failure is not None:
            raise failure

    @asynccontextmanager
    async def lease(
        self, *, tenant: str | None, memory_mib: int, deadline: float
    ) -> AsyncIterator[Lease]:
        """Have a worker for the time of the context.

        Leaving it waits for nothing: the worker gets ready again, or is killed and replaced, in
        the fleet's own tasks.

        Args:
            tenant: Whose idle workers may serve, and who may use this one afterwards.
            memory_mib: What the run may allocate.
            deadline: When to stop waiting for a worker.

        Raises:
            QueueFull: As many requests wait as may; raised at once.
            NoWorker: None became free until the deadline.
            BootFailed: Workers do not come up.
            PoolClosed: The fleet is not running, or closes while the request waits.

        Cancellation:
            While waiting, the request is withdrawn and no worker is lost. Inside the context the
            worker is killed and reaped before the cancellation goes on.
        """
        member, lease = await self._take(tenant, memory_mib, deadline)
        try:
            yield lease
        except anyio.get_cancelled_exc_class():
            self._give_back(member, lease)
            if member.fact.state is State.RETIRING:
                with anyio.move_on_after(GONE_S, shield=True):
                    await member.gone.wait()
            raise
        finally:
            self._give_back(member, lease)

    async def drain(self, *, within_s: float = DRAIN_S) -> bool:
        """Take no new runs and wait for those under way.

        Requests that wait get `PoolClosed`.

        Returns:
            Whether all runs had ended after `within_s` seconds.
        """
        self._close()
        with anyio.move_on_after(within_s):
            while self._crew.busy:
                self._quiet = self._quiet or anyio.Event()
                await self._quiet.wait()
        return not self._crew.busy

    def count_late_result(self) -> None:
        """A tool answered after the end of its call."""
        self._tally.late_results += 1

    def stats(self) -> Stats:
        """Counters and gauges of this moment."""
        return self._tally.freeze(
            states=(worker.state for worker in self._crew.facts()),
            waiting=len(self._queue),
            load=self._watchdog.load(),
        )

    async def _take(
        self, tenant: str | None, memory_mib: int, deadline: float
    ) -> tuple[Member, Lease]:
        """A worker for one request, without a task switch when there is one."""
        await checkpoint_if_cancelled()
        if not self._is_open:
            raise PoolClosed("the pool is not running")
        now = self._clock()
        request = Request(next(self._ids), tenant, memory_mib, now, deadline)
        ticket = self._tickets[request.id] = Ticket(request)
        self._queue.push(request)
        self._settle()
        if not ticket.is_settled:
            await self._wait(ticket)
        if ticket.error is not None:
            raise ticket.error
        return self._begin(ticket)

    async def _wait(self, ticket: Ticket) -> None:
        ticket.news = anyio.Event()
        request = ticket.request
        try:
            with anyio.CancelScope() as scope:
                # The fleet's clock and the event loop's need not be the same.
                scope.deadline = anyio.current_time() + request.deadline - self._clock()
                await ticket.news.wait()
        except BaseException:
            self._withdraw(ticket)
            raise
        if not ticket.is_settled:
            self._refuse(request, Refusal.EXPIRED)

    def _begin(self, ticket: Ticket) -> tuple[Member, Lease]:
        member, request = ticket.member, ticket.request
        assert member is not None
        assert member.worker is not None
        if member.fact.state is not State.BUSY:
            raise PoolClosed("the pool closed before the run began")
        lease = Lease(member.worker, request.memory_mib, member.baseline_rss_bytes)
        member.lease = lease
        self._watchdog.watch(lease)
        waited_s = self._clock() - request.asked_at
        self._tally.began(waited_s=waited_s, is_reuse=member.fact.runs > 0)
        return member, lease

    def _withdraw(self, ticket: Ticket) -> None:
        """Forget a cancelled request; a worker it got meanwhile is as good as before."""
        if ticket.member is not None and ticket.before is not None:
            self._crew.rest(ticket.member, ticket.before)
        elif ticket.error is None:
            del self._tickets[ticket.request.id]
            self._queue.drop(ticket.request)
        self._settle()

    def _give_back(self, member: Member, lease: Lease) -> None:
        """Take a worker back after a run. Waits for nothing; a second time does nothing."""
        if member.lease is not lease:
            return
        member.lease = None
        if member.handed_back is not None:
            member.handed_back.set()
        self._watchdog.forget(lease)
        if member.fact.state is State.BUSY:
            self._dispose(member, lease)
        if self._tickets or member.fact.state is State.RETIRING:
            # A worker that gets ready again keeps its slot: it changes nothing if nobody waits.
            self._settle()

    def _dispose(self, member: Member, lease: Lease) -> None:
        """Decide what becomes of a worker whose run is over, and begin with it."""
        if lease.condition is not Condition.UNUSED:
            member.fact = replace(member.fact, runs=member.fact.runs + 1)
        why = last_word(member.fact.tenant, lease.condition)
        if lease.killed_for is not None:
            why = Why.MEMORY
        elif not self._is_open:
            why = Why.SHUTDOWN
        if why is None:
            self._crew.reset(member)
        else:
            self._crew.retire(member.fact, why)

    def _settle(self) -> None:
        """Decide and act on what is now known. Called after every change; waits for nothing."""
        if self._is_open:
            # Again when a worker was dead that seemed alive; each time there is one fewer.
            while not all(self._act(decision) for decision in decide(self._facts(), self._clock())):
                pass
        elif self._quiet is not None and not self._crew.busy:
            self._quiet.set()

    def _facts(self) -> Facts:
        return Facts(
            size=self._size,
            spares=self._spares,
            max_queue=self._max_queue,
            workers=self._crew.facts(),
            waiting=tuple(self._queue.in_turn()),
            boots=self._crew.boots,
            policy=self._policy,
        )

    def _act(self, decision: Decision) -> bool:
        """Carry out a decision; False when the facts it was made on were no longer true."""
        match decision:
            case Assign(request, worker):
                member = self._crew.assign(worker, request)
                if member is None:
                    return False
                self._queue.serve(request)
                ticket = self._tickets.pop(request.id)
                ticket.before = worker
                ticket.member = member
                ticket.tell()
            case Boot(wanted):
                for _ in range(wanted):
                    self._crew.boot()
            case Retire(worker, why):
                self._crew.retire(worker, why)
            case Refuse(request, refusal):
                self._refuse(request, refusal)
        return True

    def _refuse(self, request: Request, why: Refusal) -> None:
        ticket = self._tickets.pop(request.id)
        self._queue.drop(request)
        ticket.error = self._explain(request, why)
        self._tally.refused[why] += 1
        ticket.tell()

    def _explain(self, request: Request, why: Refusal) -> CodepoolError:
        boots = self._crew.boots
        match why:
            case Refusal.CLOSED:
                return PoolClosed("the pool is closing")
            case Refusal.QUEUE_FULL:
                most = self._max_queue
                return QueueFull(f"{most} runs wait, the queue holds {most}")
            case Refusal.EXPIRED if not boots.failures:
                waited_s = self._clock() - request.asked_at
                if self._crew.busy < self._size:
                    return NoWorker(f"no worker was ready within the run's {waited_s:.3g} s")
                return NoWorker(
                    f"no worker was free within {waited_s:.3g} s: {self._crew.busy} of {self._size}"
                    f" are busy, {len(self._queue)} more runs wait"
                )
            case Refusal.EXPIRED | Refusal.BOOT_FAILED:
                return BootFailed(
                    f"workers do not come up, {boots.failures} attempts failed: {boots.reason}"
                )

    def _close(self) -> None:
        """Take no new requests and refuse those that wait."""
        self._is_open = False
        for ticket in tuple(self._tickets.values()):
            self._refuse(ticket.request, Refusal.CLOSED)

    async def _sweep(self) -> NoReturn:
        """Decide now and then although nothing happened, for what only time changes."""
        while True:
            await anyio.sleep(self._policy.sweep_s)
            self._settle()
