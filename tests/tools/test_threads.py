from __future__ import annotations

from threading import Event

import anyio
import pytest

from pool.errors import ToolError
from pool.tools.threads import Threads

pytestmark = pytest.mark.anyio


class Stuck:
    """A plain function that does not return before it is released."""

    def __init__(self) -> None:
        self.began = Event()
        self.may_return = Event()
        self.returned = Event()

    def __call__(self, argument):
        self.began.set()
        assert self.may_return.wait(timeout=10)
        self.returned.set()
        return argument


async def abandon(threads, stuck):
    """Start a call, and cancel it while it is at work."""
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(threads.run, stuck, None)
        await anyio.to_thread.run_sync(stuck.began.wait, 5)
        tasks.cancel_scope.cancel()


async def test_a_function_gives_its_result():
    assert await Threads(1).run(str, 5) == "5"


async def test_an_error_of_the_function_is_raised():
    with pytest.raises(ZeroDivisionError):
        await Threads(1).run(lambda argument: 1 / argument, 0)


async def test_a_cancelled_call_does_not_wait_for_its_thread():
    stuck = Stuck()

    with anyio.fail_after(5):
        await abandon(Threads(1), stuck)

    assert not stuck.returned.is_set()
    stuck.may_return.set()


async def test_a_thread_left_behind_does_not_keep_its_place():
    threads, stuck = Threads(1), Stuck()
    await abandon(threads, stuck)

    with anyio.fail_after(5):
        result = await threads.run(str, 5)

    assert result == "5"
    stuck.may_return.set()


async def test_more_calls_than_places_wait():
    threads, first, second = Threads(1), Stuck(), Stuck()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(threads.run, first, None)
        await anyio.to_thread.run_sync(first.began.wait, 5)
        tasks.start_soon(threads.run, second, None)
        await anyio.wait_all_tasks_blocked()

        assert not second.began.is_set()
        first.may_return.set()
        second.may_return.set()


async def test_threads_that_hang_are_not_piled_up_without_end():
    threads = Threads(2)
    hanging = [Stuck() for _ in range(4)]
    for stuck in hanging:
        await abandon(threads, stuck)

    with pytest.raises(ToolError, match="4 earlier tool calls have not returned"):
        await threads.run(str, 5)

    for stuck in hanging:
        stuck.may_return.set()


async def test_threads_that_returned_after_all_make_room_again():
    threads = Threads(1)
    hanging = [Stuck() for _ in range(2)]
    for stuck in hanging:
        await abandon(threads, stuck)
    for stuck in hanging:
        stuck.may_return.set()

    with anyio.fail_after(5):
        while threads.at_work:
            await anyio.lowlevel.checkpoint()

    assert await threads.run(str, 5) == "5"
    assert threads.late_results == 2
