"""Two pipe ends: whole messages in, whole frames out, and an error when the other side is gone."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator

import anyio
import anyio.lowlevel
import pytest
from session_run import on_a_clock_that_jumps
from wire import guest_frames as guest

from pool.errors import ProtocolFault, WorkerGone
from pool.limits import MIB, Limits
from pool.wire.frames import Decoder, FrameLimits
from pool.wire.messages import Idle, Text
from pool.worker.channel import READ_BYTES, WRITE_STALL_S, Channel

pytestmark = pytest.mark.anyio

BIG = bytes(range(256)) * 4096


class Pipes:
    """A channel, and the other ends of its pipes."""

    def __init__(self) -> None:
        host_in, self.output = os.pipe()
        self.input, host_out = os.pipe()
        self.channel = Channel(host_in, host_out, Decoder(FrameLimits.of(Limits())))

    def say(self, *frames: bytes) -> None:
        os.write(self.output, b"".join(frames))

    async def hear(self, size: int) -> bytes:
        heard = b""
        while len(heard) < size:
            await anyio.wait_readable(self.input)
            heard += os.read(self.input, size - len(heard))
        return heard

    def close(self, name: str) -> None:
        os.close(getattr(self, name))
        setattr(self, name, -1)


@pytest.fixture
async def pipes() -> AsyncIterator[Pipes]:
    pipes = Pipes()
    yield pipes
    pipes.channel.close()
    for name in ("input", "output"):
        if getattr(pipes, name) >= 0:
            pipes.close(name)


async def test_messages_that_are_there_are_received_without_waiting(pipes: Pipes) -> None:
    pipes.say(guest.text("a"), guest.idle(0), guest.text("b")[:-1])

    assert pipes.channel.receive_nowait() == Text(guest.TAG, "a")
    assert pipes.channel.frame_bytes == len(guest.text("a")) - 4
    assert pipes.channel.receive_nowait() == Idle(guest.TAG, 0)
    assert pipes.channel.receive_nowait() is None
    pipes.say(guest.text("b")[-1:])
    assert pipes.channel.receive_nowait() == Text(guest.TAG, "b")


async def test_one_read_takes_no_more_than_a_pipe_holds(pipes: Pipes) -> None:
    pipes.say(guest.text("x" * (READ_BYTES - 40)))
    pipes.channel.receive_nowait()
    text = "y" * (2 * READ_BYTES)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(anyio.to_thread.run_sync, pipes.say, guest.text(text))
        await pipes.channel.wait_readable()
        assert pipes.channel.receive_nowait() is None
        assert await pipes.channel.receive() == Text(guest.TAG, text)


async def test_a_message_is_waited_for(pipes: Pipes) -> None:
    received = []

    async def receive() -> None:
        received.append(await pipes.channel.receive())

    with anyio.fail_after(5):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(receive)
            for byte in guest.text("late"):
                assert received == []
                pipes.say(bytes([byte]))
                await anyio.lowlevel.checkpoint()

    assert received == [Text(guest.TAG, "late")]


async def test_a_receive_that_was_cancelled_loses_nothing(pipes: Pipes) -> None:
    pipes.say(guest.text("cut")[:9])
    with anyio.move_on_after(0.01):
        await pipes.channel.receive()
    pipes.say(guest.text("cut")[9:])

    assert await pipes.channel.receive() == Text(guest.TAG, "cut")


async def test_the_end_of_the_output_comes_behind_its_last_message(pipes: Pipes) -> None:
    pipes.say(guest.text("last"), guest.text("cut")[:-1])
    pipes.close("output")

    assert await pipes.channel.receive() == Text(guest.TAG, "last")
    with pytest.raises(WorkerGone, match="output ended"):
        await pipes.channel.receive()


async def test_bytes_that_are_no_message_are_a_fault(pipes: Pipes) -> None:
    pipes.say(b"thread 'main' panicked")

    with pytest.raises(ProtocolFault):
        await pipes.channel.receive()


async def test_the_limits_of_a_run_hold_for_what_comes_next(pipes: Pipes) -> None:
    pipes.channel.hold_to(FrameLimits.of(Limits(argument_bytes=1)))
    pipes.say(guest.call(0, "echo", "x" * 65_536)[:20])

    with pytest.raises(ProtocolFault, match="CALL of"):
        await pipes.channel.receive()


async def test_a_frame_larger_than_the_pipe_is_written_whole(pipes: Pipes) -> None:
    with anyio.fail_after(5):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(pipes.channel.send, BIG)
            heard = await pipes.hear(len(BIG))

    assert heard == BIG
    assert len(BIG) == MIB


async def test_a_frame_for_a_full_pipe_waits_for_room(pipes: Pipes) -> None:
    full = b"x" * READ_BYTES
    await pipes.channel.send(full)

    with anyio.fail_after(5):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(pipes.channel.send, b"next")
            await anyio.wait_all_tasks_blocked()
            heard = await pipes.hear(len(full) + 4)

    assert heard == full + b"next"


async def test_writing_to_a_worker_that_closed_its_input_says_that_it_is_gone(
    pipes: Pipes,
) -> None:
    pipes.close("input")

    with pytest.raises(WorkerGone, match="input is closed"):
        await pipes.channel.send(b"frame")


async def test_a_worker_that_leaves_while_it_is_written_to_is_gone(pipes: Pipes) -> None:
    with anyio.fail_after(5):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(close_when_full, pipes)
            with pytest.raises(WorkerGone, match="input is closed"):
                await pipes.channel.send(BIG)


async def close_when_full(pipes: Pipes) -> None:
    await pipes.hear(1)
    pipes.close("input")


@on_a_clock_that_jumps()
async def test_a_worker_that_takes_no_input_is_given_up_after_the_stall(pipes: Pipes) -> None:
    began_at = anyio.current_time()

    with pytest.raises(WorkerGone, match="no input for 10 s"):
        await pipes.channel.send(BIG)

    assert anyio.current_time() - began_at == pytest.approx(WRITE_STALL_S)


@on_a_clock_that_jumps()
async def test_a_worker_that_takes_input_slowly_is_not_given_up(pipes: Pipes) -> None:
    async def hear_slowly() -> None:
        for _ in range(len(BIG) // READ_BYTES):
            await anyio.sleep(WRITE_STALL_S - 1)
            await pipes.hear(READ_BYTES)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(hear_slowly)
        await pipes.channel.send(BIG)

    assert anyio.current_time() > 10 * WRITE_STALL_S


async def test_whoever_waits_is_woken_when_the_channel_is_closed(pipes: Pipes) -> None:
    gone = []

    async def receive() -> None:
        with pytest.raises(WorkerGone):
            await pipes.channel.receive()
        gone.append("reader")

    async def send() -> None:
        with pytest.raises(WorkerGone):
            await pipes.channel.send(BIG)
        gone.append("writer")

    with anyio.fail_after(5):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(receive)
            tasks.start_soon(send)
            await pipes.hear(1)
            await anyio.wait_all_tasks_blocked()
            pipes.channel.close()

    assert sorted(gone) == ["reader", "writer"]


async def test_a_closed_channel_touches_no_descriptor_that_took_its_place(pipes: Pipes) -> None:
    pipes.channel.close()
    pipes.channel.close()
    others = os.pipe()
    os.write(others[1], guest.text("not ours"))

    for use in (pipes.channel.receive, pipes.channel.wait_readable):
        with pytest.raises(WorkerGone):
            await use()
    with pytest.raises(WorkerGone):
        await pipes.channel.send(b"not theirs")
    with pytest.raises(WorkerGone):
        pipes.channel.receive_nowait()

    assert os.read(others[0], 100) == guest.text("not ours")
    for fd in others:
        os.close(fd)
