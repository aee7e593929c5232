"""JSON values and bytes on their way in and out: the plain part of spec section 4."""

from __future__ import annotations

import datetime
import math
import uuid
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from pathlib import PurePosixPath

import pytest

from pool import Limits, Tool

ECHO = Tool(name="echo", handler=lambda argument: argument)


def giving(value) -> list[Tool]:
    return [Tool(name="give", handler=lambda argument: value)]


VALUES = [
    *(None, True, False, 0, -1, 1.5, 2**53 - 1, -(2**53 - 1), 1e300, 5e-324),
    *("", "text", "ä 漢 🎈", "\x00\u2028", [], {}, [[], {}], b"", bytes(range(256))),
    {"__proto__": 1, "constructor": 2, "then": 3, "toJSON": 4, "": 5, "k" * 10_000: 6},
    {"rows": [{"id": n, "tags": ["a", "b"], "blob": b"\xff"} for n in range(100)]},
]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: f"{value!r:.20}")
def test_v_a_value_comes_back_from_its_way_to_the_program_and_to_a_tool_unchanged(evaluate, value):
    source = "return await tools.echo(await tools.give())"

    returned = evaluate(source, tools=[*giving(value), ECHO])

    assert returned == value
    assert type(returned) is type(value)


def test_v1_bytes_arrive_as_a_uint8array(evaluate):
    source = "const b = await tools.give(); return [b instanceof Uint8Array, b.length, b[1]]"

    assert evaluate(source, tools=giving(bytearray(b"\x01\xff"))) == [True, 2, 255]


def test_v1_views_leave_as_the_bytes_they_show(evaluate):
    source = """
    const buffer = Uint8Array.of(1, 2, 3, 4).buffer;
    return [buffer, new Uint8Array(buffer, 1, 2), new DataView(buffer, 3)];
    """

    assert evaluate(source) == [b"\1\2\3\4", b"\2\3", b"\4"]


class Colour(Enum):
    RED = "red"


@dataclass
class Point:
    x: int
    when: datetime.date


PYTHON_VALUES = {
    "tuple": ((1, 2), [1, 2]),
    "set": ({1}, [1]),
    "large int": (2**70, str(2**70)),
    "decimal": (Decimal("1.50"), "1.50"),
    "uuid": (uuid.UUID(int=1), str(uuid.UUID(int=1))),
    "path": (PurePosixPath("/a/b"), "/a/b"),
    "enum": (Colour.RED, "red"),
    "date": (datetime.date(2026, 1, 2), "2026-01-02"),
    "dataclass": (Point(1, datetime.date(2026, 1, 2)), {"x": 1, "when": "2026-01-02"}),
    "keys": ({2: "a", True: "b", Colour.RED: "c"}, {"2": "a", "true": "b", "red": "c"}),
}


@pytest.mark.parametrize(("value", "seen"), PYTHON_VALUES.values(), ids=PYTHON_VALUES.keys())
def test_v1_python_values_arrive_in_their_javascript_form(evaluate, value, seen):
    assert evaluate("return await tools.give()", tools=giving(value)) == seen


def test_v1_numbers_that_are_not_finite_cross_both_ways_of_a_return(evaluate):
    source = "const v = await tools.give(); return [...v, Number.isNaN(v[0])]"

    returned = evaluate(source, tools=giving([math.nan, math.inf, -math.inf]))

    assert math.isnan(returned[0])
    assert returned[1:] == [math.inf, -math.inf, True]


@pytest.mark.parametrize("value", ["NaN", "[Infinity]", "() => 1", "[Symbol()]", "Promise.all([])"])
def test_v_arguments_without_a_counterpart_are_refused_with_their_path(run, value):
    outcome = run(f"await tools.echo({{ deep: {value} }})", tools=[ECHO])

    assert outcome.error.name == "TypeError"
    assert "deep" in outcome.error.message
    assert outcome.calls == ()


def test_v_what_is_undefined_is_left_out(evaluate):
    assert evaluate("return { a: undefined, b: [undefined, , 1] }") == {"b": [None, None, 1]}


def test_v2_keys_of_a_result_never_reach_a_prototype(evaluate):
    source = """
    const v = await tools.give();
    const { polluted } = {};
    return [Object.keys(v), Object.hasOwn(v, "__proto__"), polluted === undefined,
            Object.getPrototypeOf(v) === Object.prototype];
    """
    hostile = {"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}

    assert evaluate(source, tools=giving(hostile)) == [list(hostile), True, True, True]


def nested(levels: int):
    value = []
    for _ in range(levels - 1):
        value = [value]
    return value


def test_v3_two_hundred_levels_pass_and_one_more_fails_from_the_host(run, evaluate):
    assert evaluate("return await tools.give()", tools=giving(nested(200))) == nested(200)

    error = run("await tools.give()", tools=giving(nested(201))).error

    assert "200" in error.message


NEST = "let v = []; for (let i = 1; i < levels; i++) v = [v];"


def test_v3_two_hundred_levels_pass_and_one_more_fails_from_the_program(run, evaluate):
    assert evaluate(f"const levels = 200; {NEST} return v") == nested(200)
    assert evaluate(f"const levels = 200; {NEST} return await tools.echo(v)", tools=[ECHO])

    returned = run(f"const levels = 201; {NEST} return v")
    argument = run(f"const levels = 201; {NEST} await tools.echo(v)", tools=[ECHO])

    assert "200" in returned.error.message
    assert "200" in argument.error.message
    assert argument.calls == ()


def test_v3_a_message_above_its_limit_fails_its_call_and_not_the_worker(evaluate):
    source = """
    const caught = [];
    for (const argument of ["x".repeat(2000), new Uint8Array(2000)]) {
      try { await tools.echo(argument) } catch (e) { caught.push([e.name, e.message]) }
    }
    try { await tools.give() } catch (e) { caught.push([e.name, e.message]) }
    return [caught, await tools.echo("small")];
    """
    limits = Limits(argument_bytes=1_000, result_bytes=1_000)

    caught, after = evaluate(source, tools=[ECHO, *giving("x" * 2_000)], limits=limits)

    assert [name for name, _ in caught] == ["RangeError", "RangeError", "Error"]
    assert all("1000" in message.replace(" ", "") for _, message in caught)
    assert after == "small"


def test_v4_a_document_has_bytes_and_numbers_that_are_not_finite_in_their_json_form(run):
    document = run("return [new Uint8Array([1, 2]), NaN, -Infinity]").to_dict()

    assert document["value"] == [{"$bytes": "AQI="}, "NaN", "-Infinity"]
