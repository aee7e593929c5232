"""The processes of a fleet: brings workers up, keeps an eye on them, ends them. Decides nothing.

Each worker has one task that owns its process from boot to reaping. When those tasks end, in
whatever way, the processes are gone. Every change is told to `on_change`, which must not wait.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from itertools import count
from typing import Final

import anyio
from anyio.abc import TaskGroup

from pool.supervisor.backoff import BackOff
from pool.supervisor.facts import Policy, State, Why, WorkerFact
from pool.supervisor.queue import Request
from pool.supervisor.roster import Member
from pool.supervisor.stats import Tally
from pool.worker.process import Worker

# Between the end of a run and the next READY lie 0.1 to 5 ms; a worker that needs longer is stuck
# in something its program left behind.
RESET_GRACE_S: Final = 1.0

# A run whose worker is killed at shutdown reads the worker's last words and gives it back.
HAND_BACK_S: Final = 2.0

# A timer may fire a hair before the clock shows its time; the next boot would not be due then, and
# nothing else would ask for it.
_TIMER_MARGIN_S: Final = 0.001


class Crew:
    """All workers of one fleet.

    Attributes:
        boots: What is known of boots that fail.

    Args:
        tasks: Where the workers' tasks run; cancelling it kills and reaps all of them.
        boot: Starts a worker and returns it ready; cleans up after itself when it does not.
        is_awaited: Whether somebody waits for a worker.
        on_change: Called when a worker came up, did not, is ready again, died or is gone.
    """

    def __init__(
        self,
        *,
        tasks: TaskGroup,
        boot: Callable[[], Awaitable[Worker]],
        is_awaited: Callable[[], bool],
        on_change: Callable[[], None],
        policy: Policy,
        tally: Tally,
        clock: Callable[[], float],
    ) -> None:
        self.boots = BackOff()
        self._tasks = tasks
        self._boot = boot
        self._is_awaited = is_awaited
        self._on_change = on_change
        self._policy = policy
        self._tally = tally
        self._clock = clock
        self._ids = count(1)
        self._members: dict[int, Member] = {}

    def facts(self) -> tuple[WorkerFact, ...]:
        return tuple([member.fact for member in self._members.values()])

    @property
    def busy(self) -> int:
        """Runs under way."""
        return sum(member.fact.state is State.BUSY for member in self._members.values())

    def boot(self) -> None:
        """Begin to bring up one more worker."""
        fact = WorkerFact(next(self._ids), State.BOOTING, self._clock())
        member = self._members[fact.id] = Member(fact)
        self._tasks.start_soon(self._keep, member)

    def assign(self, worker: WorkerFact, request: Request) -> Member | None:
        """Set a worker aside for one run; None when it turns out to be dead."""
        member = self._members[worker.id]
        assert member.worker is not None
        if not member.worker.is_fit():
            self._end(member, Why.DIED)
            return None
        member.fact = replace(
            worker, state=State.BUSY, tenant=request.tenant, memory_mib=request.memory_mib
        )
        return member

    def rest(self, member: Member, fact: WorkerFact) -> None:
        """Let a worker wait for its next run as `fact` says, if it still can."""
        assert member.worker is not None
        if member.fact.state is State.RETIRING:
            return
        member.fact = fact
        if not member.worker.is_alive:
            self._end(member, Why.DIED)

    def reset(self, member: Member) -> None:
        """Let a worker get ready for its tenant's next run."""
        member.fact = replace(member.fact, state=State.RESETTING)
        self._tasks.start_soon(self._wait_ready, member)

    def retire(self, worker: WorkerFact, why: Why) -> None:
        """Have a worker killed and reaped; once is enough."""
        self._end(self._members[worker.id], why)

    def _end(self, member: Member, why: Why) -> None:
        if member.fact.state is not State.RETIRING:
            member.fact = replace(member.fact, state=State.RETIRING)
            self._tally.retired[why] += 1
            member.watch.cancel()

    async def _keep(self, member: Member) -> None:
        """Own one worker from its boot to its reaping."""
        has_failed = False
        try:
            if await self._bring_up(member):
                with member.watch:
                    await self._watch_over(member)
            else:
                has_failed = True
        finally:
            await self._bury(member)
        if has_failed:
            await self._wait_for_retry()

    async def _bring_up(self, member: Member) -> bool:
        """Boot, and run the warm-up program unless somebody waits; whether the worker is ready."""
        began_at = self._clock()
        try:
            member.worker = worker = await self._boot()
            usage = worker.usage()
            member.baseline_rss_bytes = 0 if usage is None else usage.rss_bytes
            if not self._is_awaited():
                await worker.warm()
        except Exception as error:
            # The door to the worker room: whatever it raises, this worker did not come up.
            self._tally.boot_failures += 1
            reason = str(error) or repr(error)
            self.boots = self.boots.failed(began_at=began_at, now=self._clock(), reason=reason)
            return False
        now = self._clock()
        self._tally.booted(now - began_at)
        self.boots = self.boots.succeeded()
        self.rest(member, WorkerFact(member.fact.id, State.SPARE, born_at=now))
        self._on_change()
        return True

    async def _watch_over(self, member: Member) -> None:
        """Notice the death of a worker that nobody uses. Ends by cancellation only."""
        assert member.worker is not None
        await member.worker.wait_dead()
        if member.fact.state in (State.SPARE, State.IDLE):
            self._end(member, Why.DIED)
        # Whoever uses it sees the end of its output, reads what is left there and gives it back.
        await anyio.sleep_forever()

    async def _wait_ready(self, member: Member) -> None:
        worker = member.worker
        assert worker is not None
        # Measured while the worker prepares the next run's globals: costs nobody time.
        usage = worker.usage()
        worker.reset_peak()
        if not await worker.wait_ready(RESET_GRACE_S):
            self._end(member, Why.NOT_READY)
            return
        growth_bytes = 0 if usage is None else usage.data_bytes - worker.baseline_data_bytes
        idle = replace(
            member.fact, state=State.IDLE, growth_bytes=growth_bytes, idle_since=self._clock()
        )
        self.rest(member, idle)
        self._on_change()

    async def _bury(self, member: Member) -> None:
        """Kill and reap a worker and free its place.

        Cancellation:
            Shielded; takes at most HAND_BACK_S and what `Worker.kill` may take.
        """
        self._end(member, Why.SHUTDOWN)
        try:
            with anyio.CancelScope(shield=True):
                await self._part(member)
                if member.worker is not None:
                    await member.worker.kill()
        finally:
            del self._members[member.fact.id]
            member.gone.set()
            self._on_change()

    async def _part(self, member: Member) -> None:
        """Take a worker away from the run it serves: only at shutdown is there one."""
        if member.lease is None:
            return
        member.lease.kill("shutdown")
        member.handed_back = anyio.Event()
        with anyio.move_on_after(HAND_BACK_S):
            await member.handed_back.wait()

    async def _wait_for_retry(self) -> None:
        """Tell the fleet when the next boot may begin."""
        pause_s = self._policy.retry_at(self.boots) - self._clock()
        await anyio.sleep(max(pause_s, 0) + _TIMER_MARGIN_S)
        self._on_change()
