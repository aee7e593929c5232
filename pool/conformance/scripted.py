"""Tools that do what a row says, and nothing else; made anew for every run.

Data of a script is JSON with tagged forms for what JSON cannot say, or only at length:

| tagged form | stands for |
|---|---|
| `{"$bytes": "<base64>"}` | bytes |
| `{"$number": "NaN"}` | this number; also `Infinity` and `-Infinity` |
| `{"$repeat": [text, n]}` | the text n times |
| `{"$nested": n}` | an empty array within arrays, n levels in all |
"""

from __future__ import annotations

import base64
from collections.abc import Iterable
from itertools import chain, repeat
from typing import Any

import anyio

from pool.conformance.rows import Reply, ScriptedTool
from pool.errors import ToolDefinitionError, ToolError
from pool.tools.tool import Tool


def scripted(tools: Iterable[ScriptedTool]) -> list[Tool]:
    """The tools of one run. One that this implementation refuses to offer is left out."""
    made = []
    for script in tools:
        try:
            made.append(_tool(script))
        except ToolDefinitionError:
            continue
    return made


def _tool(script: ScriptedTool) -> Tool:
    replies = chain(script.replies, repeat(script.replies[-1]))

    async def answer(argument: Any) -> Any:
        return await _answer(next(replies), argument)

    return Tool(
        name=script.name,
        handler=answer,
        description=script.description,
        namespace=script.namespace,
        input_schema=script.input_schema,
        output_schema=script.output_schema,
        timeout_s=None if script.timeout_ms is None else script.timeout_ms / 1000,
    )


async def _answer(reply: Reply, argument: Any) -> Any:
    await anyio.sleep(reply.delay_ms / 1000)
    if reply.hang:
        await anyio.sleep_forever()
    if reply.echo:
        return argument
    if "error" in reply.model_fields_set:
        raise ToolError(data(reply.error), name=reply.name)
    return data(reply.ok)


def data(value: Any) -> Any:
    """Data of a script as Python has it."""
    match value:
        case {"$number": str(name), **others} if not others:
            return float(name)
        case {"$bytes": str(text), **others} if not others:
            return base64.b64decode(text, validate=True)
        case {"$repeat": [str(text), int(times)], **others} if not others:
            return text * times
        case {"$nested": int(levels), **others} if not others:
            return _nested(levels)
        case list():
            return [data(item) for item in value]
        case dict():
            return {key: data(item) for key, item in value.items()}
        case _:
            return value


def _nested(levels: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(levels - 1):
        value = [value]
    return value
