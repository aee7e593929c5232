"""Scripted tools answer as their rows say."""

from __future__ import annotations

import math

import anyio
import pytest

from pool import ToolError
from pool.conformance.rows import Reply, ScriptedTool
from pool.conformance.scripted import data, scripted

pytestmark = pytest.mark.anyio


def handler(*replies: Reply):
    [tool] = scripted([ScriptedTool(name="t", replies=replies)])
    return tool.handler


async def test_replies_come_in_order_and_the_last_one_stays():
    answer = handler(Reply(ok=1), Reply(echo=True))

    assert [await answer("a") for _ in range(3)] == [1, "a", "a"]


async def test_a_tool_without_replies_gives_its_argument_back():
    [tool] = scripted([ScriptedTool(name="t")])

    assert await tool.handler({"n": 1}) == {"n": 1}


async def test_an_error_has_its_text_and_name():
    with pytest.raises(ToolError, match="no such row") as failed:
        await handler(Reply(error="no such row", name="Missing"))(None)

    assert failed.value.name == "Missing"


async def test_a_hanging_tool_answers_nothing_until_it_is_cancelled():
    with anyio.move_on_after(0) as scope:
        await handler(Reply(hang=True))(None)

    assert scope.cancelled_caught


async def test_every_set_of_tools_begins_its_script_anew():
    script = [ScriptedTool(name="t", replies=(Reply(ok=1), Reply(ok=2)))]

    assert [await scripted(script)[0].handler(None) for _ in range(2)] == [1, 1]


async def test_a_tool_whose_schema_is_broken_is_left_out():
    broken = ScriptedTool(name="broken", input_schema={"type": "nonsense"})

    assert [tool.name for tool in scripted([broken, ScriptedTool(name="t")])] == ["t"]


async def test_tagged_forms_become_what_json_cannot_say():
    assert data([{"$bytes": "AQI="}, {"$repeat": ["ab", 2]}, {"$number": "-Infinity"}]) == [
        b"\1\2",
        "abab",
        -math.inf,
    ]
    assert data({"$nested": 3}) == [[[]]]
    assert math.isnan(data({"$number": "NaN"}))
    assert data({"$bytes": "AQI=", "more": 1}) == {"$bytes": "AQI=", "more": 1}
