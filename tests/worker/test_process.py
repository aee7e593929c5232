"""One worker from its boot to its end, with a real Deno that fails in a chosen way."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from functools import partial

import anyio
import anyio.lowlevel
import pytest
from anyio import wait_all_tasks_blocked
from proc_files import children_of, is_running, open_fds

from pool.errors import BootFailed, Unavailable
from pool.limits import MIB, Limits
from pool.wire.frames import FrameLimits
from pool.wire.messages import PROTOCOL_VERSION, Ready
from pool.worker.exit import EndKind
from pool.worker.process import SLACK_BYTES, Worker, boot
from pool.worker.stderr import TAIL_BYTES

pytestmark = pytest.mark.anyio

start = partial(boot, frame_limits=FrameLimits.of(Limits()), memory_mib=256)

GO = b"go"


async def wait_dead(pid: int) -> None:
    pidfd = os.pidfd_open(pid)
    await anyio.wait_readable(pidfd)
    os.close(pidfd)


async def test_a_worker_is_ready_once_it_has_said_who_it_is(spawning, fake) -> None:
    with anyio.fail_after(10):
        async with spawning() as (link, tasks):
            worker = await start(link, fake("ready"), task_group=tasks)

            assert worker.hello.protocol == PROTOCOL_VERSION
            assert worker.hello.deno.startswith("2.9.")
            assert worker.is_alive
            assert worker.runs == 0
            assert worker.baseline_data_bytes > 16 * MIB
            assert worker.born_at <= anyio.current_time()


@pytest.mark.parametrize(
    ("mode", "reason"),
    [
        ("wrong_version", "speaks protocol 99, not 1"),
        ("wrong_locale", "locale 'de-DE'"),
        ("garbage", r"not the start of a message \(killed\): the last words"),
        ("throws", r"output ended \(crash\): .*not today"),
    ],
)
async def test_a_worker_that_is_not_what_it_should_be_does_not_boot(
    spawning, fake, mode, reason
) -> None:
    with anyio.fail_after(10):
        async with spawning() as (link, tasks):
            before = open_fds()
            with pytest.raises(BootFailed, match=reason):
                await start(link, fake(mode), task_group=tasks)

            assert children_of(link.pid) == []
            assert open_fds() == before


async def test_a_worker_in_another_time_zone_does_not_boot(spawning, fake) -> None:
    launch = fake("ready")
    abroad = replace(launch, env={**launch.env, "TZ": "Europe/Berlin"})
    with anyio.fail_after(10):
        async with spawning() as (link, tasks):
            with pytest.raises(BootFailed, match="time zone 'Europe/Berlin'"):
                await start(link, abroad, task_group=tasks)


async def test_a_worker_that_never_is_ready_is_given_up_in_time(spawning, fake) -> None:
    with anyio.fail_after(10):
        async with spawning() as (link, tasks):
            with pytest.raises(BootFailed, match=r"no READY within 0\.3 s"):
                await start(link, fake("silent"), task_group=tasks, timeout_s=0.3)

            assert children_of(link.pid) == []


async def test_a_program_that_is_missing_does_not_boot(spawning, fake) -> None:
    with anyio.fail_after(10):
        async with spawning() as (link, tasks):
            missing = replace(fake("ready"), argv=("/nonexistent/deno",))
            with pytest.raises(BootFailed, match="No such file"):
                await start(link, missing, task_group=tasks)


async def test_no_worker_boots_without_a_spawner(spawning, fake) -> None:
    with anyio.fail_after(10):
        async with spawning() as (link, tasks):
            os.kill(link.pid, signal.SIGKILL)
            with pytest.raises(Unavailable):
                await start(link, fake("ready"), task_group=tasks)


async def test_cancelling_a_boot_kills_the_worker_before_it_goes_on(spawning, fake) -> None:
    with anyio.fail_after(10):
        async with spawning() as (link, tasks):
            with anyio.CancelScope() as scope:
                async with anyio.create_task_group() as booting:
                    booting.start_soon(partial(start, link, fake("silent"), task_group=tasks))
                    while not children_of(link.pid):
                        await anyio.lowlevel.checkpoint()
                    await wait_all_tasks_blocked()
                    scope.cancel()

            assert children_of(link.pid) == []


async def test_a_kill_reaps_closes_and_may_be_repeated(spawning, fake) -> None:
    with anyio.fail_after(10):
        async with spawning() as (link, tasks):
            before = open_fds()
            worker = await start(link, fake("spin"), task_group=tasks)
            ends: list[EndKind] = []

            async def kill() -> None:
                ends.append(await worker.kill())

            async with anyio.create_task_group() as killers:
                for _ in range(3):
                    killers.start_soon(kill)
            ends.append(await worker.kill())

            assert ends == [EndKind.KILLED] * 4
            assert not worker.is_alive
            assert not is_running(worker.pid)
            await wait_all_tasks_blocked()
            assert open_fds() == before
            assert worker.usage() is None


async def test_a_cancelled_task_still_kills(spawning, fake) -> None:
    with anyio.fail_after(10):
        async with spawning() as (link, tasks):
            worker = await start(link, fake("spin"), task_group=tasks)
            with anyio.CancelScope() as scope:
                scope.cancel()
                await worker.kill()

            assert not worker.is_alive


async def test_whoever_waits_for_a_message_is_told_of_the_kill(spawning, fake) -> None:
    with anyio.fail_after(10):
        async with spawning() as (link, tasks):
            worker = await start(link, fake("ready"), task_group=tasks)
            answers: list[bool] = []

            async def wait() -> None:
                answers.append(await worker.wait_ready(5))

            async with anyio.create_task_group() as waiting:
                waiting.start_soon(wait)
                await wait_all_tasks_blocked()
                await worker.kill()

            assert answers == [False]


async def test_pipes_can_be_read_to_their_end_after_a_sigkill(spawning, fake) -> None:
    with anyio.fail_after(10):
        async with spawning() as (link, tasks):
            worker = await start(link, fake("ready"), task_group=tasks)
            await worker.channel.send(GO)
            await worker.channel.wait_readable()
            worker.sigkill()
            await worker.wait_dead()

            assert await worker.channel.receive() == Ready(0)
            assert await worker.kill() is EndKind.KILLED


async def test_the_end_of_a_worker_is_noticed_and_named(spawning, fake) -> None:
    with anyio.fail_after(10):
        async with spawning() as (link, tasks):
            worker = await start(link, fake("exit_after_input"), task_group=tasks)
            await worker.channel.send(GO)
            await worker.wait_dead()

            assert await worker.kill() is EndKind.CRASH


async def test_last_words_that_nobody_has_read_yet_still_count(spawning, command) -> None:
    with anyio.fail_after(10):
        async with spawning() as (link, _):
            last_words = "echo 'memory allocation of 8 bytes failed' >&2; exit 1"
            child = await link.spawn(command("/bin/sh", "-c", last_words))
            limit = partial(link.limit_data, child, uid=None)
            worker = Worker(child, FrameLimits.of(Limits()), limit)
            await worker.wait_dead()

            assert await worker.kill() is EndKind.MEMORY


async def test_an_idle_worker_leaves_when_asked(spawning, fake) -> None:
    with anyio.fail_after(10):
        async with spawning() as (link, tasks):
            worker = await start(link, fake("ready"), task_group=tasks)

            assert await worker.leave() is EndKind.CLEAN


async def test_the_end_is_unknown_after_the_spawners(spawning, fake) -> None:
    with anyio.fail_after(10):
        async with spawning() as (link, tasks):
            worker = await start(link, fake("ready"), task_group=tasks)
            os.kill(link.pid, signal.SIGKILL)
            await worker.wait_dead()

            assert await worker.kill() is EndKind.UNKNOWN


async def test_ready_after_a_run_is_counted(spawning, fake) -> None:
    with anyio.fail_after(10):
        async with spawning() as (link, tasks):
            worker = await start(link, fake("ready"), task_group=tasks)
            await worker.channel.send(GO)

            assert await worker.wait_ready(5)
            assert worker.runs == 1
            await worker.warm()
            assert worker.runs == 1


async def test_anything_else_after_a_run_is_not_ready(spawning, fake) -> None:
    with anyio.fail_after(10):
        async with spawning() as (link, tasks):
            worker = await start(link, fake("garbage_after_input"), task_group=tasks)
            await worker.channel.send(GO)

            assert not await worker.wait_ready(5)
            assert worker.runs == 0


async def test_no_ready_in_time_is_not_ready(spawning, fake) -> None:
    with anyio.fail_after(10):
        async with spawning() as (link, tasks):
            worker = await start(link, fake("spin"), task_group=tasks)

            assert not await worker.wait_ready(0.05)


async def test_a_worker_beyond_its_memory_dies_of_it_and_no_other(spawning, fake) -> None:
    with anyio.fail_after(15):
        async with spawning() as (link, tasks):
            worker = await start(link, fake("objects"), task_group=tasks)
            other = await start(link, fake("ready"), task_group=tasks)
            await worker.limit_memory(32)
            await worker.channel.send(GO)

            assert not await worker.wait_ready(10)
            assert await worker.kill() is EndKind.MEMORY
            peak = worker.peak_rss_bytes()
            assert peak is not None
            assert peak < (64 + 32) * MIB + SLACK_BYTES
            await other.channel.send(GO)
            assert await other.wait_ready(5)


async def test_a_worker_within_its_memory_lives(spawning, fake) -> None:
    with anyio.fail_after(15):
        async with spawning() as (link, tasks):
            worker = await start(link, fake("objects"), task_group=tasks)
            await worker.limit_memory(32)
            await worker.limit_memory(1024)  # as much as the pool allows: 256
            await worker.channel.send(GO)

            assert await worker.wait_ready(10)
            assert 0.3 < worker.memory_share() < 1
            usage = worker.usage()
            assert usage is not None
            assert usage.data_bytes > worker.baseline_data_bytes + 90 * MIB
            assert (worker.peak_rss_bytes() or 0) > 100 * MIB


async def test_no_run_gets_more_than_the_pools_memory(spawning, fake) -> None:
    with anyio.fail_after(15):
        async with spawning() as (link, tasks):
            worker = await boot(
                link,
                fake("objects"),
                frame_limits=FrameLimits.of(Limits()),
                memory_mib=32,
                task_group=tasks,
            )
            await worker.limit_memory(1024)
            await worker.channel.send(GO)

            assert not await worker.wait_ready(10)
            assert await worker.kill() is EndKind.MEMORY


async def test_a_flood_on_standard_error_blocks_nobody(spawning, fake) -> None:
    with anyio.fail_after(15):
        async with spawning() as (link, tasks):
            worker = await start(link, fake("flood"), task_group=tasks)
            other = await start(link, fake("ready"), task_group=tasks)
            await worker.channel.send(GO)
            for _ in range(20):
                await other.channel.send(GO)
                assert await other.wait_ready(1)

            assert await worker.wait_ready(10)
            await worker.kill()
            assert worker.stderr_tail().endswith(b"x\nthe end\n")
            assert len(worker.stderr_tail()) == TAIL_BYTES
