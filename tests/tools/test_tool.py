from __future__ import annotations

import functools
import math

import pytest

from pool.errors import ToolDefinitionError
from pool.tools.tool import Tool, Way


def plain(argument):
    return argument


async def waiting(argument):
    return argument


class Waiting:
    async def __call__(self, argument):
        return argument


def test_a_plain_function_runs_in_a_thread():
    assert Tool(name="t", handler=plain).way is Way.THREAD


def test_a_plain_function_declared_inline_runs_inline():
    assert Tool(name="t", handler=plain, inline=True).way is Way.INLINE


@pytest.mark.parametrize(
    "handler", [waiting, functools.partial(waiting), Waiting(), Waiting().__call__]
)
def test_whatever_is_a_coroutine_function_runs_in_a_task(handler):
    assert Tool(name="t", handler=handler).way is Way.TASK


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"name": ""}, "name must be a non-empty text"),
        ({"name": 5}, "name must be a non-empty text"),
        ({"name": "a\ud800"}, "name must be a non-empty text"),
        ({"handler": "plain"}, "handler must be callable"),
        ({"description": None}, "description must be a text"),
        ({"namespace": ""}, "namespace must be a non-empty text"),
        ({"exposure": "direct"}, "exposure must be an Exposure"),
        ({"effect": "read"}, "effect must be an Effect"),
        ({"aliases": ["find"]}, "aliases must be a tuple of texts"),
        ({"input_schema": True}, "input_schema must be a JSON Schema object"),
        ({"output_schema": [1]}, "output_schema must be a JSON Schema object"),
        ({"input_schema": {"type": "objct"}}, "input_schema is no valid JSON Schema: schema.type"),
        ({"output_schema": {"minimum": "3"}}, "output_schema is no valid JSON Schema"),
        ({"input_schema": {"properties": {1: {}}}}, "input_schema is no valid JSON Schema"),
        ({"input_schema": {"$ref": "https://example.com/x"}}, "Retrieval is disabled"),
        ({"timeout_s": 0}, "timeout_s must be a positive, finite number of seconds, not 0"),
        ({"timeout_s": -1.0}, "timeout_s must be a positive"),
        ({"timeout_s": math.inf}, "timeout_s must be a positive"),
        ({"timeout_s": math.nan}, "timeout_s must be a positive"),
        ({"timeout_s": True}, "timeout_s must be a positive"),
        ({"timeout_s": "5"}, "timeout_s must be a positive"),
        ({"inline": True, "handler": waiting}, "the handler is a coroutine function"),
        ({"inline": True, "timeout_s": 1}, "timeout_s cannot be kept"),
    ],
)
def test_what_cannot_be_offered_is_refused_with_tool_and_fault(fields, fault):
    definition = {"name": "search", "handler": plain, **fields}

    with pytest.raises(ToolDefinitionError) as refused:
        Tool(**definition)

    assert f"tool {definition['name']!r}: " in str(refused.value)
    assert fault in str(refused.value)


def test_everything_that_is_right_is_accepted():
    tool = Tool(
        name="search",
        handler=plain,
        description="Finds.",
        input_schema={"type": "object"},
        output_schema={"type": "array"},
        timeout_s=2,
        namespace="notes",
    )

    assert (tool.timeout_s, tool.namespace) == (2, "notes")


def test_a_schema_edited_after_the_tool_was_made_changes_nothing():
    schema = {"type": "object", "required": ["a"]}
    tool = Tool(name="t", handler=plain, input_schema=schema)

    schema["required"].append("b")

    assert tool.input_schema == {"type": "object", "required": ["a"]}
    assert tool.argument_check.fault({"a": 1}) is None


def test_tools_are_equal_only_to_themselves():
    one, other = Tool(name="t", handler=plain), Tool(name="t", handler=plain)

    assert one != other
    assert len({one, other, one}) == 2
