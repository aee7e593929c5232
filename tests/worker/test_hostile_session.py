"""A worker that says whatever it likes, in any order, to a session that must not be led astray."""

from __future__ import annotations

import math
from collections.abc import Sequence

import anyio
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scripted_worker import scripted_worker
from session_run import TOO_LONG_S, SessionRun, answered
from wire import guest_frames as guest

from pool.limits import Limits
from pool.program.outcome import CallStatus
from pool.wire.messages import Call
from pool.worker.calls import Begun
from pool.worker.ending import Ending, Stop

# The same examples on every machine.
repeatable = settings(derandomize=True, deadline=None, max_examples=150)

# A worker that falls silent is given up then; all others are done long before.
DEADLINE_S = 0.1

OTHER_TAGS = (guest.TAG ^ 1, guest.TAG + 2**63, 2**64 - 1)
FOREIGN = "of another run"

LIMITS = Limits(calls=6, calls_in_flight=2, output_items=12, output_chars=2000)

Frames = Sequence[bytes]


def storm(first: int, count: int) -> bytes:
    return b"".join(guest.call(index, "echo") for index in range(first, first + count))


small = st.integers(0, 3)
sound = st.one_of(
    st.just(guest.text("own")),
    st.just(guest.console("own", "warn")),
    st.builds(guest.call, small, st.sampled_from(["a", "slow", "not offered"])),
    st.builds(storm, small, st.integers(2, 8)),
    st.builds(guest.ask, small),
    st.builds(guest.idle, small),
    st.builds(guest.store, st.sampled_from([{}, {"k": "1"}, {"k": "not JSON"}])),
    st.builds(
        lambda how, value, items, calls: guest.end(how, value, items=items, calls=calls),
        st.sampled_from(["completed", "exited", "threw", "stalled", "too_large"]),
        st.sampled_from([[], ["own"], [FOREIGN * 200]]),
        small,
        small,
    ),
)
foreign = st.one_of(
    st.builds(lambda tag: guest.text(FOREIGN, tag=tag), st.sampled_from(OTHER_TAGS)),
    st.builds(lambda tag: guest.message(6, 0, FOREIGN, {}, tag=tag), st.sampled_from(OTHER_TAGS)),
    st.builds(
        lambda tag: guest.message(10, "completed", [FOREIGN], None, [], 0, 0, [], tag=tag),
        st.sampled_from(OTHER_TAGS),
    ),
    st.sampled_from([guest.hello(), guest.ready(), guest.text(FOREIGN, tag=0)]),
)
sequences = st.lists(st.one_of(sound, sound, sound, foreign), max_size=14)


class Played:
    """What a session made of a hostile worker."""

    def __init__(self, run: SessionRun, ending: Ending) -> None:
        self.run = run
        self.ending = ending


async def play(frames: Frames, *, leaves: bool, last_words: bytes = b"") -> Played:
    """Say everything, then leave or fall silent; tools answer at once, `slow` never."""

    def on_call(call: Call) -> Begun:
        run.calls.append(call)
        return anyio.sleep_forever if call.name == "slow" else answered("result")

    with scripted_worker() as worker, anyio.fail_after(TOO_LONG_S):
        worker.last_words = last_words
        async with anyio.create_task_group() as tasks:
            deadline = math.inf if leaves else anyio.current_time() + DEADLINE_S
            run = SessionRun(worker, tasks, limits=LIMITS, deadline=deadline, on_call=on_call)
            for frame in frames:
                worker.say(frame)
            if leaves:
                worker.close_output()
            await run.drive()
            ending = await run.ending()
            tasks.cancel_scope.cancel()
    return Played(run, ending)


def assert_accounted_for(played: Played) -> None:
    """Whatever was said: one ending, every call with one end, nothing of anybody else's."""
    run, ending = played.run, played.ending
    assert (ending.end is None) is (ending.stop is not None)
    assert (ending.worker_end is None) is (ending.stop is None)
    assert run.worker.killed == ([] if ending.stop is None else ["sigkill", "kill"])
    assert sorted(record.index for record in run.ends) == list(range(len(run.ends)))
    assert [record.index for record in ending.calls] == list(range(len(run.ends)))
    assert len(run.calls) <= len(ending.calls) <= LIMITS.calls
    assert len(run.output) <= LIMITS.output_items
    cancelled = [record for record in ending.calls if record.status is CallStatus.CANCELLED]
    assert len(cancelled) == len(ending.open_calls)
    assert FOREIGN not in run.texts
    assert all(call.tag == guest.TAG and call.name != FOREIGN for call in run.calls)
    assert ending.end is None or ending.end.value in {(), ("own",)}


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
@repeatable
@given(frames=sequences, last_words=st.one_of(st.just(b""), foreign, sound))
@example(frames=[guest.store(), guest.store()], last_words=b"")
@example(frames=[storm(0, 6), guest.idle(0), guest.end(calls=6)], last_words=b"")
@example(frames=[guest.end(), guest.text(FOREIGN)], last_words=b"")
def test_a_worker_that_says_anything_and_leaves_ends_its_run_without_a_wait(
    backend: str, frames: Frames, last_words: bytes
) -> None:
    async def leave() -> Played:
        return await play(frames, leaves=True, last_words=last_words)

    assert_accounted_for(anyio.run(leave, backend=backend))


@settings(repeatable, max_examples=25)
@given(frames=sequences, last_words=st.one_of(st.just(b""), foreign, sound))
@example(frames=[guest.call(0, "slow"), guest.idle(0)], last_words=guest.text(FOREIGN, tag=5))
def test_a_worker_that_says_anything_and_falls_silent_is_stopped_at_its_deadline(
    frames: Frames, last_words: bytes
) -> None:
    async def fall_silent() -> Played:
        return await play(frames, leaves=False, last_words=last_words)

    played = anyio.run(fall_silent)

    assert_accounted_for(played)
    assert played.ending.stop is not Stop.GONE


def test_a_worker_that_keeps_to_the_order_completes() -> None:
    frames = [guest.text("own"), storm(0, 2), guest.idle(0), guest.store({"k": "1"})]

    async def leave() -> Played:
        return await play([*frames, guest.end(value=["own"], items=1, calls=2)], leaves=True)

    played = anyio.run(leave)

    assert_accounted_for(played)
    assert played.ending.is_clean
    assert played.run.texts == ["own"]
    assert [record.status for record in played.ending.calls] == [CallStatus.OK] * 2
