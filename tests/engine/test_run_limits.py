"""Every number a run is held to: spec L-2."""

from __future__ import annotations

import anyio
import pytest
from live_pools import PATIENCE_S

from pool import LimitError, Limits, Pool, Reason, Tool
from pool.limits import KIB, MIB

DEFAULTS = {
    "timeout_ms": 600_000,
    "memory_mib": 256,
    "max_output_tokens": 10_000,
    "calls": 100_000,
    "calls_in_flight": 64,
    "argument_bytes": 16 * MIB,
    "result_bytes": 32 * MIB,
    "source_bytes": 1 * MIB,
    "output_chars": 16_777_216,
    "output_items": 100_000,
    "output_bytes": 1 * MIB,
}

QUICK = Tool(name="quick", handler=lambda argument: argument, inline=True)


def test_l2_the_defaults_are_the_ones_of_the_specification():
    limits = Limits()

    assert {name: getattr(limits, name) for name in DEFAULTS} == DEFAULTS
    assert Pool().limits == limits


@pytest.mark.parametrize("name", DEFAULTS)
def test_l2_no_run_gets_more_than_the_pool_allows(shared_pool, name):
    ceiling = DEFAULTS[name]

    with pytest.raises(LimitError) as refused:
        shared_pool.run("return 1", limits=Limits(**{name: ceiling + 1}))

    assert name in str(refused.value)
    assert str(ceiling) in str(refused.value)
    assert str(ceiling + 1) in str(refused.value)
    assert shared_pool.run("return 1", limits=Limits(**{name: ceiling})).value == 1


@pytest.mark.parametrize("value", [0, -1, 1.5, float("inf"), float("nan"), "5", None, True])
def test_l2_every_limit_is_finite_and_positive(value):
    for name in DEFAULTS:
        if name == "max_output_tokens" and value == 0 and value is not False:
            continue
        with pytest.raises(LimitError, match=name):
            Limits(**{name: value})


@pytest.mark.parametrize(
    "options", [{"size": 0}, {"size": 1.5}, {"size": True}, {"spares": -1}, {"max_queue": -1}]
)
def test_l2_the_pools_own_numbers_are_checked_too(options):
    with pytest.raises(LimitError, match=next(iter(options))):
        Pool(**options)


@pytest.mark.parametrize(
    ("name", "given", "limit"),
    [("timeout_ms", 600_001, 600_000), ("max_output_tokens", 10_001, 10_000)],
)
def test_l2_a_higher_value_in_the_options_line_is_lowered_with_a_note(run, name, given, limit):
    outcome = run(f'// @options: {{"{name}": {given}}}\nreturn 1')

    assert outcome.value == 1
    assert outcome.notes == (f"{name} was lowered from {given} to the limit of {limit}.",)


def test_l2_the_options_line_is_held_to_what_the_caller_lowered(run):
    outcome = run(
        '// @options: {"max_output_tokens": 50}\nreturn 1', limits=Limits(max_output_tokens=20)
    )

    assert outcome.max_output_tokens == 20
    assert "50" in outcome.notes[0]


@pytest.mark.anyio
async def test_l2_a_pools_limits_hold_for_its_runs():
    async with Pool(size=1, spares=0, limits=Limits(calls=1, output_chars=100)) as pool:
        outcome = await pool.run("await tools.quick(); await tools.quick()", tools=[QUICK])
        with pytest.raises(LimitError, match="calls is 2, the pool allows at most 1"):
            await pool.run("return 1", limits=Limits(calls=2))

    assert outcome.error.name == "RangeError"


def test_l2_one_call_too_many_rejects_with_the_limit_and_the_run_goes_on(evaluate):
    source = """
    const results = [];
    for (let i = 0; i < 4; i++) {
      try { results.push(await tools.quick(i)) } catch (e) { results.push(e.message) }
    }
    return results;
    """

    results = evaluate(source, tools=[QUICK], limits=Limits(calls=3))

    assert results[:3] == [0, 1, 2]
    assert "at most 3 calls" in results[3]


def test_l2_more_calls_than_may_be_in_flight_wait_and_are_all_answered(evaluate):
    source = (
        "return (await Promise.all(Array.from({length: 1000}, (_, i) => tools.quick(i)))).length"
    )

    assert evaluate(source, tools=[QUICK], limits=Limits(calls_in_flight=1)) == 1_000


@pytest.mark.anyio
async def test_l2_no_more_calls_are_in_flight_than_allowed():
    in_flight, rounds = 3, 4
    inside: list[int] = []
    most = 0
    full = anyio.Event()

    async def meet(argument):
        nonlocal most, full
        inside.append(argument)
        most = max(most, len(inside))
        together = full
        if len(inside) == in_flight:
            full = anyio.Event()
            together.set()
        await together.wait()
        inside.remove(argument)

    source = f"await Promise.all([...Array({in_flight * rounds}).keys()].map(i => tools.meet(i)))"
    with anyio.fail_after(PATIENCE_S):
        async with Pool(size=1, spares=0) as pool:
            outcome = await pool.run(
                source,
                tools=[Tool(name="meet", handler=meet)],
                limits=Limits(calls_in_flight=in_flight),
            )

            assert outcome.is_completed
            assert len(outcome.calls) == in_flight * rounds
            assert most == in_flight


def test_l2_a_longer_argument_result_or_source_than_a_lowered_limit_is_refused(run):
    long = "x" * KIB

    argument = run(f"await tools.quick('{long}')", tools=[QUICK], limits=Limits(argument_bytes=900))
    result = run(f"await tools.quick('{long}')", tools=[QUICK], limits=Limits(result_bytes=900))
    source = run(f"return '{long}'", limits=Limits(source_bytes=900))

    assert "900" in argument.error.message
    assert "900" in result.error.message
    assert "900" in source.error.message
    for name in ("argument_bytes", "result_bytes", "source_bytes"):
        limits = Limits(**{name: 2_000})
        assert run(f"await tools.quick('{long}')", tools=[QUICK], limits=limits).is_completed


def test_l2_large_values_below_the_defaults_cross(evaluate):
    source = "return (await tools.quick('x'.repeat(15 * 1024 * 1024))).length"

    assert evaluate(source, tools=[QUICK]) == 15 * MIB


def test_l2_the_time_limit_of_a_run_can_be_lowered(run, evaluate):
    evaluate("return 'a worker is there'")

    outcome = run("while (true) {}", limits=Limits(timeout_ms=300))

    assert outcome.reason is Reason.TIMEOUT
    assert "300 ms" in outcome.error.message
