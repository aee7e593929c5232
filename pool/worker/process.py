"""One worker: a booted process, ready to take runs, until it is killed.

`boot` starts it and makes sure that it is what it claims to be; `Worker.kill` is the only way it
ends by our will. Which run it serves, and whether it may serve another, is decided elsewhere.
"""

from __future__ import annotations

from functools import partial
from typing import Final, Protocol

import anyio
from anyio.abc import TaskGroup

from pool.errors import BootFailed, ProtocolFault, WorkerFault
from pool.limits import MIB
from pool.wire.frames import Decoder, FrameLimits, frame
from pool.wire.layout import encode
from pool.wire.messages import PROTOCOL_VERSION, Hello, Ready, Warm
from pool.worker.channel import Channel
from pool.worker.child import DIE_S, Child
from pool.worker.exit import EndKind, classify
from pool.worker.launch import Launch
from pool.worker.memory import Memory, read_memory, reset_peak
from pool.worker.spawner_link import SpawnerLink
from pool.worker.stderr import StderrTail

# Boots take 30 to 150 ms; only a machine that stands still needs this long.
BOOT_TIMEOUT_S: Final = 10.0

# An idle worker whose input has ended leaves at once.
LEAVE_TIMEOUT_S: Final = 5.0

# Beside the budget of the program: stacks of threads that Deno starts late, and V8's own needs.
# Without it a thread that starts after half a second took the whole worker with it.
SLACK_BYTES: Final = 32 * MIB

_TIME_ZONE: Final = "UTC"
_LOCALE: Final = "en-US"

# Of a failed boot's last words, enough to see what was wrong.
_SHOWN_STDERR_BYTES: Final = 2_000


class LimitData(Protocol):
    """Sets RLIMIT_DATA of one worker; False when it cannot be had."""

    async def __call__(self, *, soft_bytes: int, hard_bytes: int) -> bool: ...


async def boot(
    link: SpawnerLink,
    launch: Launch,
    *,
    frame_limits: FrameLimits,
    memory_mib: int,
    task_group: TaskGroup,
    timeout_s: float = BOOT_TIMEOUT_S,
) -> Worker:
    """Start a worker and wait until it is ready.

    Args:
        frame_limits: Until a run brings its own.
        memory_mib: Largest limit of any run. The kernel holds the worker to it for good.
        task_group: Where its standard error is drained as long as it lives.
        timeout_s: From its start to READY.

    Raises:
        BootFailed: It did not come up, or is not what it should be.
        Unavailable: There is no spawner any more.

    Cancellation:
        At any point; the process is killed and reaped before the cancellation goes on.
    """
    uid = launch.confinement.uid
    with anyio.CancelScope(shield=True):
        # About 1 ms; a cancellation in between would leave a process that is not reaped yet.
        child = await link.spawn(launch)
        worker = Worker(child, frame_limits, partial(link.limit_data, child, uid=uid))
    try:
        task_group.start_soon(worker.drain_stderr)
        with anyio.fail_after(timeout_s):
            worker.hello = await _greet(worker.channel)
            await worker.set_memory_ceiling(memory_mib)
    except TimeoutError as error:
        raise BootFailed(await _why_not(worker, f"no READY within {timeout_s:g} s")) from error
    except WorkerFault as error:
        raise BootFailed(await _why_not(worker, str(error))) from error
    except BaseException:
        await worker.kill()
        raise
    return worker


class Worker:
    """A running worker.

    Attributes:
        id: Unique within the life of its spawner.
        hello: How it introduced itself.
        born_at: When it was started, on `anyio.current_time()`'s clock.
        runs: Programs it has finished.
        baseline_data_bytes: What RLIMIT_DATA counted when it first was ready; 0 when unknown.
    """

    def __init__(self, child: Child, frame_limits: FrameLimits, limit_data: LimitData) -> None:
        self._child = child
        self._stderr = StderrTail(child.stderr)
        self._limit_data = limit_data
        self._budget_mib = 0
        self._ceiling_mib = 0
        self.channel = Channel(child.stdout, child.stdin, Decoder(frame_limits))
        self.hello: Hello
        self.id = child.id
        self.pid = child.pid
        self.born_at = anyio.current_time()
        self.runs = 0
        self.baseline_data_bytes = 0

    @property
    def is_alive(self) -> bool:
        return self._child.exit is None

    def is_fit(self) -> bool:
        """Whether a run may be given to it: alive, and silent as an idle worker has to be.

        The pipe tells sooner than the spawner that a process has died.
        """
        return self.is_alive and self.channel.is_quiet()

    async def wait_dead(self) -> None:
        """Return when the process is gone, whatever the reason."""
        await self._child.wait()

    async def wait_ready(self, timeout_s: float) -> bool:
        """Take the READY that follows a run.

        Returns:
            False when something else came, or nothing in time: the worker has to be killed.
        """
        try:
            with anyio.fail_after(timeout_s):
                ready = await self.channel.receive()
        except (TimeoutError, WorkerFault):
            return False
        if not isinstance(ready, Ready):
            return False
        self.runs += 1
        return True

    async def warm(self) -> None:
        """Have the worker run its warm-up program. Costs it about 3 ms.

        Raises:
            WorkerFault: It is not ready afterwards, or not within BOOT_TIMEOUT_S.
        """
        try:
            with anyio.fail_after(BOOT_TIMEOUT_S):
                await self.channel.send(frame(encode(Warm())))
                ready = await self.channel.receive()
        except TimeoutError as error:
            raise ProtocolFault("the warm-up does not end") from error
        if not isinstance(ready, Ready):
            raise ProtocolFault(f"{type(ready).__name__} instead of READY after a warm-up")

    async def limit_memory(self, memory_mib: int) -> None:
        """Have the kernel hold the next run to its budget, counted from the baseline.

        Without an effect where the kernel refuses: the watchdog is left then.

        Raises:
            Unavailable: There is no spawner any more, and so no worker.
        """
        memory_mib = min(memory_mib, self._ceiling_mib)
        if memory_mib != self._budget_mib:
            await self._set_limits(memory_mib)

    async def _set_limits(self, memory_mib: int) -> None:
        soft_bytes, hard_bytes = (
            self.baseline_data_bytes + mib * MIB + SLACK_BYTES
            for mib in (memory_mib, self._ceiling_mib)
        )
        if await self._limit_data(soft_bytes=soft_bytes, hard_bytes=hard_bytes):
            self._budget_mib = memory_mib

    def usage(self) -> Memory | None:
        """Memory of the process now; None when it has ended."""
        return read_memory(self.pid) if self.is_alive else None

    def memory_share(self) -> float:
        """Share of its budget that the worker has in use; 0 when unknown."""
        usage = self.usage()
        if usage is None or not self._budget_mib:
            return 0.0
        return (usage.data_bytes - self.baseline_data_bytes) / (self._budget_mib * MIB)

    def peak_rss_bytes(self) -> int | None:
        """Highest resident memory since the last `reset_peak`; of its life once it has ended."""
        if self._child.exit is not None:
            return self._child.exit.peak_rss_bytes or None
        usage = self.usage()
        return None if usage is None else usage.peak_rss_bytes

    def reset_peak(self) -> None:
        if self.is_alive:
            reset_peak(self.pid)

    async def drain_stderr(self) -> None:
        """Keep the pipe of standard error empty. Runs for the life of the worker."""
        await self._stderr.drain()

    def stderr_tail(self) -> bytes:
        return self._stderr.tail()

    def sigkill(self) -> None:
        """Send SIGKILL and nothing else: the pipes can be read to their end before `kill`."""
        self._child.sigkill()

    async def kill(self) -> EndKind:
        """Kill the process, reap it and close its pipes.

        Returns:
            How it ended, which need not be by this kill; `UNKNOWN` when that is not confirmed
            in time.

        Cancellation:
            Shielded; takes at most DIE_S. Any number of tasks may call it, any number of times.
        """
        self.sigkill()
        with anyio.move_on_after(DIE_S, shield=True):
            await self._child.wait()
        self._stderr.read_nowait()
        self._stderr.close()
        self.channel.close()
        return classify(self._child.exit, self._stderr.tail())

    async def leave(self) -> EndKind:
        """Ask an idle worker to go by closing its input; kill it when it does not."""
        self.channel.close()
        try:
            with anyio.move_on_after(LEAVE_TIMEOUT_S):
                await self._child.wait()
        finally:
            end = await self.kill()
        return end

    async def set_memory_ceiling(self, memory_mib: int) -> None:
        """Measure the baseline and set the limit that no run of this worker can exceed."""
        usage = self.usage()
        if usage is not None:
            self.baseline_data_bytes = usage.data_bytes
            self._ceiling_mib = memory_mib
            await self._set_limits(memory_mib)


async def _greet(channel: Channel) -> Hello:
    """Take HELLO and the first READY, and check what the worker says of itself."""
    hello = await channel.receive()
    if not isinstance(hello, Hello):
        raise ProtocolFault(f"{type(hello).__name__} instead of HELLO")
    if hello.protocol != PROTOCOL_VERSION:
        raise ProtocolFault(f"it speaks protocol {hello.protocol}, not {PROTOCOL_VERSION}")
    if (hello.time_zone, hello.locale) != (_TIME_ZONE, _LOCALE):
        found = f"time zone {hello.time_zone!r:.40} and locale {hello.locale!r:.40}"
        raise ProtocolFault(f"its {found} are not {_TIME_ZONE} and {_LOCALE}")
    ready = await channel.receive()
    if not isinstance(ready, Ready):
        raise ProtocolFault(f"{type(ready).__name__} instead of READY")
    return hello


async def _why_not(worker: Worker, reason: str) -> str:
    """Put an end to a worker that did not come up; everything that is known about it."""
    end = await worker.kill()
    said = worker.stderr_tail()[-_SHOWN_STDERR_BYTES:].decode("utf-8", "replace").strip()
    return f"a worker did not come up: {reason} ({end}){': ' if said else ''}{said}"
