"""Limits: ranges, and lowering by what was given."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pool.errors import LimitError
from pool.limits import MAX_MEMORY_MIB, MAX_TIMEOUT_MS, MIB, Limits

NAMES = [field.name for field in fields(Limits)]

# Section 11 of the specification.
DEFAULTS = {
    "timeout_ms": 600_000,
    "memory_mib": 256,
    "max_output_tokens": 10_000,
    "calls": 100_000,
    "calls_in_flight": 64,
    "argument_bytes": 16 * 1024 * 1024,
    "result_bytes": 32 * 1024 * 1024,
    "source_bytes": 1024 * 1024,
    "output_chars": 16_777_216,
    "output_items": 100_000,
    "output_bytes": 1024 * 1024,
}


def test_the_defaults_are_those_of_the_specification() -> None:
    assert {name: getattr(Limits(), name) for name in NAMES} == DEFAULTS


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("value", [1.0, float("inf"), float("nan"), "5", None, True, [1]])
def test_a_limit_is_a_whole_number(name: str, value: Any) -> None:
    with pytest.raises(LimitError, match=f"{name} must be a whole number"):
        Limits(**{name: value})


def test_memory_has_a_most_that_system_calls_take() -> None:
    assert Limits(memory_mib=MAX_MEMORY_MIB).memory_mib * MIB < 2**63

    with pytest.raises(LimitError, match="the most is 1048576"):
        Limits(memory_mib=MAX_MEMORY_MIB + 1)


@pytest.mark.parametrize("name", NAMES)
def test_a_limit_has_a_least_value(name: str) -> None:
    least = 0 if name == "max_output_tokens" else 1
    assert getattr(Limits(**{name: least}), name) == least

    with pytest.raises(LimitError, match=f"^{name} is {least - 1}, the least is {least}$"):
        Limits(**{name: least - 1})


def test_a_time_out_has_a_greatest_value() -> None:
    assert Limits(timeout_ms=MAX_TIMEOUT_MS).timeout_ms == 2_147_483_647

    with pytest.raises(LimitError, match="timeout_ms is 2147483648, the most is 2147483647"):
        Limits(timeout_ms=MAX_TIMEOUT_MS + 1)


def test_limits_do_not_change() -> None:
    with pytest.raises(FrozenInstanceError):
        Limits().calls = 5  # type: ignore[misc]


def test_what_was_given_is_known_also_when_it_equals_the_default() -> None:
    assert Limits().given() == {}
    assert Limits(calls=100_000, timeout_ms=5).given() == {"timeout_ms": 5, "calls": 100_000}


def test_lowering_by_nothing_changes_nothing() -> None:
    pool = Limits(timeout_ms=500)

    assert pool.lowered(None) == pool
    assert pool.lowered(Limits()) == pool


def test_lowering_changes_what_was_given_and_nothing_else() -> None:
    pool = Limits(timeout_ms=500, calls=10)

    lowered = pool.lowered(Limits(calls=10, memory_mib=64))

    assert lowered == Limits(timeout_ms=500, calls=10, memory_mib=64)


@pytest.mark.parametrize("name", NAMES)
def test_a_limit_above_the_pools_is_refused_with_both_numbers(name: str) -> None:
    pool = Limits(**{name: 7})
    assert getattr(pool.lowered(Limits(**{name: 7})), name) == 7

    with pytest.raises(LimitError, match=f"^{name} is 8, the pool allows at most 7$"):
        pool.lowered(Limits(**{name: 8}))


def test_a_default_of_a_pool_is_a_limit_too() -> None:
    with pytest.raises(LimitError, match="calls is 100001, the pool allows at most 100000"):
        Limits().lowered(Limits(calls=100_001))


some_limits = st.builds(
    Limits, **{name: st.integers(1, 10) for name in ("calls", "memory_mib", "timeout_ms")}
)
a_few_given = st.dictionaries(st.sampled_from(["calls", "memory_mib"]), st.integers(1, 10)).map(
    lambda given: Limits(**given)
)


@given(some_limits, a_few_given, a_few_given)
def test_lowering_never_raises_a_limit(pool: Limits, first: Limits, second: Limits) -> None:
    lowered = pool
    for wanted in (first, second):
        try:
            lowered = lowered.lowered(wanted)
        except LimitError:
            continue
        assert lowered.given() == pool.given() | lowered.given()

    assert all(getattr(lowered, name) <= getattr(pool, name) for name in NAMES)
