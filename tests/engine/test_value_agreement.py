"""Generated values against a slow and obvious model of the value table, in every direction.

Values go in batches: one run of a program for many of them.
"""

from __future__ import annotations

import datetime
import enum
import json
import math
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Any

import attrs
import pytest
from hypothesis import HealthCheck, Phase, example, given, settings
from hypothesis import strategies as st
from value_recipes import (
    ABSENT,
    BUILD,
    MAX_SAFE,
    Refused,
    anything,
    as_data,
    as_text,
    in_order_of_js,
    printable,
    sendable,
    well_formed,
)

from pool import Tool

# The same examples on every machine; to explain a failure would trace every line.
repeatable = settings(
    derandomize=True,
    deadline=None,
    max_examples=100,
    phases=[Phase.explicit, Phase.generate, Phase.shrink],
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
pytestmark = pytest.mark.timeout(120)


def batches(values: st.SearchStrategy[Any]) -> st.SearchStrategy[list[Any]]:
    return st.lists(values, min_size=1, max_size=20)


def in_program(recipes: list[Any], body: str) -> dict[str, Any]:
    """A program that has `values`: functions that make the value of each recipe."""
    recipe = Tool(name="recipes", handler=lambda argument: json.dumps(recipes))
    source = (
        f"{BUILD}\nconst values = JSON.parse(await tools.recipes()).map((r) => () => build(r));"
    )
    return {"source": f"{source}\n{body}", "tools": [recipe]}


@repeatable
@given(recipes=batches(anything))
@example(recipes=[["map", [[["plain", "\ud800\udc00\udc00"], ["number", "NaN"]]], False]])
def test_v_arguments_arrive_or_are_refused_as_the_table_says(evaluate, recipes):
    taken: list[Any] = []
    program = in_program(
        recipes,
        """
        const refusals = [];
        for (const make of values) {
          refusals.push(await tools.take({ v: make() }).catch((e) => `${e.name}: ${e.message}`));
        }
        return refusals;
        """,
    )
    program["tools"].append(Tool(name="take", handler=taken.append, inline=True))

    refusals = evaluate(**program)

    expected = [as_argument(recipe) for recipe in recipes]
    assert refusals == [each if isinstance(each, str) else None for each in expected]
    assert exact(taken) == exact([each for each in expected if not isinstance(each, str)])


def as_argument(recipe: Any) -> dict[str, Any] | str:
    """What arrives of `{v: value}`, or the error."""
    try:
        value = as_data(recipe, "argument.v")
    except Refused as refused:
        return str(refused)
    return {} if value is ABSENT else {"v": value}


@repeatable
@given(recipes=batches(sendable))
@example(recipes=[["number", name] for name in ("NaN", "Infinity", "-Infinity")])
def test_v_returns_arrive_as_the_table_says(evaluate, recipes):
    returned = evaluate(**in_program(recipes, "return values.map((make) => make())"))

    expected = as_data(["array", recipes, False], "return", is_return=True)
    assert exact(returned) == exact(expected)


@repeatable
@given(recipes=batches(printable))
def test_v_texts_are_as_the_table_says(run, recipes):
    outcome = run(**in_program(recipes, "for (const make of values) text([make()])"))

    assert outcome.is_completed, outcome.error
    shown = [item.text for item in outcome.output]
    assert shown == [as_text(["array", [recipe], False]) for recipe in recipes]


class Colour(enum.Enum):
    RED = "red"
    PAIR = (1, b"x")


class Size(enum.IntEnum):
    SMALL = 1


@dataclass(frozen=True)
class Held:
    item: Any
    also: Any


@attrs.frozen
class Kept:
    item: Any


host_texts = st.text(st.characters(codec=None), max_size=8)
host_scalars = st.one_of(
    st.none() | st.booleans() | st.integers() | st.integers(2**52, 2**70) | st.floats(),
    host_texts | st.binary(max_size=8) | st.binary(max_size=8).map(bytearray),
    st.binary(max_size=8).map(memoryview),
    st.decimals() | st.uuids() | st.datetimes() | st.dates() | st.times(),
    st.sampled_from([Colour.RED, Colour.PAIR, Size.SMALL, PurePosixPath("/a/b")]),
)
host_keys = host_texts | st.sampled_from([True, Colour.RED, Size.SMALL, uuid.UUID(int=1), 2**70])
host_values = st.recursive(
    host_scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4) | st.lists(inner, max_size=4).map(tuple),
        st.frozensets(st.integers() | st.uuids(), max_size=3),
        st.dictionaries(host_keys, inner, max_size=4),
        st.dictionaries(host_keys, inner, max_size=4).map(MappingProxyType),
        st.builds(Held, inner, inner) | st.builds(Kept, inner),
    ),
    max_leaves=10,
)


def as_seen(value: Any) -> Any:
    """What a program is given for a value of the host's, and gives back."""
    match value:
        case enum.Enum():
            return as_seen(value.value)
        case Held(item, also):
            return as_seen({"item": item, "also": also})
        case Kept(item):
            return as_seen({"item": item})
        case bool() | None | float():
            return value
        case int():
            return value if abs(value) <= MAX_SAFE else str(value)
        case str():
            return well_formed(value)
        case bytes() | bytearray() | memoryview():
            return bytes(value)
        case list() | tuple() | frozenset():
            return [as_seen(item) for item in value]
        case Mapping():
            return in_order_of_js([(as_key(key), as_seen(item)) for key, item in value.items()])
        case datetime.date() | datetime.time():
            return value.isoformat()
    return str(value)


def as_key(key: Any) -> str:
    if isinstance(key, bool):
        return str(key).lower()
    return str(as_seen(key))


@repeatable
@given(values=batches(host_values))
@example(values=[{"__proto__": {"a": 1}, "then": 2, "toJSON": 3, "": 4, "k" * 5_000: 5}])
def test_v1_results_are_seen_and_come_back_as_the_table_says(evaluate, values):
    give = Tool(name="give", handler=lambda argument: values, inline=True)

    returned = evaluate("return await tools.give()", tools=[give])

    assert exact(returned) == exact(as_seen(values))


def exact(value: Any) -> Any:
    """`value` so that NaN is equal to itself and True is not 1; the order of keys counts."""
    match value:
        case float():
            return "NaN" if math.isnan(value) else int(value) if value.is_integer() else value
        case bool():
            return ("bool", value)
        case list():
            return [exact(item) for item in value]
        case dict():
            return [(key, exact(item)) for key, item in value.items()]
    return value
