"""The ring that keeps a worker's last words."""

from __future__ import annotations

import os
import threading

import anyio
import anyio.lowlevel
import pytest
from anyio import wait_all_tasks_blocked

from pool.worker.stderr import TAIL_BYTES, StderrTail

pytestmark = pytest.mark.anyio


@pytest.fixture
def pipe() -> tuple[StderrTail, int]:
    read_fd, write_fd = os.pipe()
    os.set_blocking(read_fd, False)
    return StderrTail(read_fd), write_fd


async def test_the_whole_of_a_short_text_is_kept(pipe: tuple[StderrTail, int]) -> None:
    stderr, write_fd = pipe
    os.write(write_fd, b"error: ")
    os.write(write_fd, b"not today\n")
    os.close(write_fd)

    with anyio.fail_after(5):
        await stderr.drain()

    assert stderr.tail() == b"error: not today\n"
    stderr.close()


async def test_a_flood_leaves_its_end_and_lets_others_run(pipe: tuple[StderrTail, int]) -> None:
    stderr, write_fd = pipe
    megabytes = 100
    turns = 0

    def flood() -> None:
        with open(write_fd, "wb", buffering=0) as stream:
            for number in range(megabytes):
                stream.write(b"%08d" % number + b"x" * (1_000_000 - 8))

    async def count_turns() -> None:
        nonlocal turns
        while True:
            await anyio.lowlevel.checkpoint()
            turns += 1

    writer = threading.Thread(target=flood)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(count_turns)
        writer.start()
        with anyio.fail_after(15):
            await stderr.drain()
        tasks.cancel_scope.cancel()
    writer.join()

    assert len(stderr.tail()) == TAIL_BYTES
    # A turn at least every 32 reads, and a read takes 64 KiB at most.
    assert turns >= megabytes * 1_000_000 // (32 * 65536)
    stderr.close()


async def test_a_stream_that_never_pauses_is_left_for_a_while() -> None:
    stderr = StderrTail(os.open("/dev/zero", os.O_RDONLY))

    has_ended = stderr.read_nowait()

    assert not has_ended
    assert stderr.tail() == bytes(TAIL_BYTES)
    stderr.close()


async def test_closing_ends_the_drain(pipe: tuple[StderrTail, int]) -> None:
    stderr, write_fd = pipe
    with anyio.fail_after(5):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(stderr.drain)
            await wait_all_tasks_blocked()
            stderr.close()

    stderr.close()
    os.close(write_fd)


async def test_what_a_dead_worker_left_in_the_pipe_can_be_read(
    pipe: tuple[StderrTail, int],
) -> None:
    stderr, write_fd = pipe
    os.write(write_fd, b"x" * 60_000)
    os.close(write_fd)

    assert stderr.read_nowait()
    assert stderr.tail() == b"x" * 60_000
    stderr.close()
