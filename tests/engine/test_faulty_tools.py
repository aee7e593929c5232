"""Tools that misbehave harm their own call at most."""

from __future__ import annotations

import threading

import anyio
import pytest
from live_pools import PATIENCE_S, warm_up, watched_pool

from pool import CallStatus, Limits, Pool, Reason, Tool

AFTERWARDS = """
const caught = [];
try { await tools.bad() } catch (e) { caught.push(e.message) }
return [caught, await tools.good()];
"""

GOOD = Tool(name="good", handler=lambda argument: "fine", inline=True)


class Refuses:
    """Raises wherever it is touched."""

    def __str__(self) -> str:
        raise RuntimeError("no text")

    __repr__ = __str__


class OddError(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no text")


def raises(error):
    def handler(argument):
        raise error

    return handler


async def raise_group(argument):
    async with anyio.create_task_group():
        raise ValueError("inside a group")


def deep(argument):
    value = []
    for _ in range(5_000):
        value = [value]
    return value


def circular(argument):
    value = {}
    value["self"] = value
    return value


FAULTY = {
    "raises": (raises(ValueError("my own words")), "my own words"),
    "raises nothing to say": (raises(KeyError()), "KeyError"),
    "raises what has no text": (raises(OddError()), "OddError"),
    "raises a stop": (raises(StopIteration("stop")), "stop"),
    "exits": (raises(SystemExit(3)), "SystemExit: 3"),
    "raises in a group": (raise_group, "inside a group"),
    "raises a long text": (raises(ValueError("x" * 1_000_000)), "characters left out"),
    "returns an object": (lambda argument: Refuses(), "bad"),
    "returns a function": (lambda argument: {"rows": [print]}, "rows"),
    "returns too deep": (deep, "200"),
    "returns itself": (circular, "bad"),
    "returns a lone surrogate key": (lambda argument: {b"k": 1}, "bad"),
}


@pytest.mark.parametrize(("handler", "words"), FAULTY.values(), ids=FAULTY.keys())
@pytest.mark.parametrize("inline", [False, True], ids=["apart", "inline"])
def test_a_tool_that_fails_rejects_its_call_and_the_run_goes_on(evaluate, handler, words, inline):
    is_inline = inline and handler is not raise_group
    bad = Tool(name="bad", handler=handler, inline=is_inline)

    caught, after = evaluate(AFTERWARDS, tools=[bad, GOOD])

    assert words in caught[0]
    assert len(caught[0]) < 20_000
    assert after == "fine"


def test_a_result_above_its_limit_rejects_its_call_and_names_the_limit(evaluate):
    huge = Tool(name="bad", handler=lambda argument: bytes(100_000_000))

    caught, after = evaluate(AFTERWARDS, tools=[huge, GOOD])

    assert "33554432" in caught[0].replace(" ", "").replace(",", "").replace("_", "")
    assert after == "fine"


def test_a_result_just_below_its_limit_arrives(evaluate):
    large = Tool(name="large", handler=lambda argument: bytes(4_000_000))

    assert evaluate("return (await tools.large()).length", tools=[large]) == 4_000_000


@pytest.mark.anyio
async def test_a_coroutine_function_that_hangs_is_ended_with_its_run():
    left = anyio.Event()

    async def hang(argument):
        try:
            await anyio.sleep_forever()
        finally:
            left.set()

    with anyio.fail_after(PATIENCE_S):
        async with Pool(size=1, spares=0) as pool:
            await warm_up(pool, "t")
            outcome = await pool.run(
                "await tools.hang()",
                tenant="t",
                tools=[Tool(name="hang", handler=hang)],
                limits=Limits(timeout_ms=500),
            )
            await left.wait()

            assert outcome.reason is Reason.TIMEOUT
            assert outcome.calls[0].status is CallStatus.CANCELLED


@pytest.mark.anyio
async def test_a_plain_function_that_hangs_holds_back_neither_its_run_nor_the_pool():
    released = threading.Event()
    hang = Tool(name="hang", handler=lambda argument: released.wait(PATIENCE_S))
    try:
        with anyio.fail_after(PATIENCE_S / 2):
            async with Pool(size=1, spares=0) as pool:
                await warm_up(pool, "t")
                limits = Limits(timeout_ms=500)
                outcome = await pool.run(
                    "await tools.hang()", tenant="t", tools=[hang], limits=limits
                )
                after = await pool.run("return 1")

                assert outcome.reason is Reason.TIMEOUT
                assert after.value == 1
    finally:
        released.set()


@pytest.mark.anyio
async def test_a_tool_that_cancels_itself_rejects_its_call():
    async def cancel_itself(argument):
        with anyio.CancelScope() as scope:
            scope.cancel()
            await anyio.sleep_forever()
        return "survived"

    async with Pool(size=1, spares=0) as pool:
        outcome = await pool.run(
            "return await tools.odd()", tools=[Tool(name="odd", handler=cancel_itself)]
        )

        assert outcome.value == "survived"


@pytest.mark.anyio
async def test_a_tool_may_run_another_program_on_the_same_pool():
    async with watched_pool(size=2) as (pool, _):

        async def nest(argument):
            inner = await pool.run("return 20 + 1")
            return inner.value

        outcome = await pool.run(
            "return 2 * await tools.nest()", tools=[Tool(name="nest", handler=nest)]
        )

        assert outcome.value == 42
