"""`@tool`: an annotated Python function becomes a tool.

The signature gives the input schema, the return annotation the output schema, the docstring the
descriptions; each call's argument is converted to what the annotations say. pydantic does the
work, and is imported when the first function is decorated: `import pool` does not pay for it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias, overload

from pool.errors import ToolDefinitionError
from pool.tools.context import ToolContext
from pool.tools.exposure import Exposure
from pool.tools.sources.docstring import read_docstring
from pool.tools.tool import Effect, Handler, JsonSchema, Tool

if TYPE_CHECKING:
    from pool.tools.sources.signature import Signature

Function: TypeAlias = Callable[..., Any]


@overload
def tool(function: Function, /) -> Tool: ...


@overload
def tool(
    *,
    name: str | None = None,
    description: str | None = None,
    timeout_s: float | None = None,
    inline: bool = False,
    namespace: str | None = None,
    exposure: Exposure = Exposure.DIRECT,
    effect: Effect = Effect.WRITE,
    aliases: tuple[str, ...] = (),
) -> Callable[[Function], Tool]: ...


def tool(
    function: Function | None = None,
    /,
    *,
    name: str | None = None,
    description: str | None = None,
    timeout_s: float | None = None,
    inline: bool = False,
    namespace: str | None = None,
    exposure: Exposure = Exposure.DIRECT,
    effect: Effect = Effect.WRITE,
    aliases: tuple[str, ...] = (),
) -> Tool | Callable[[Function], Tool]:
    """Make a tool of a function, as `@tool` or as `@tool(name=…)`.

    A program calls it with one object whose properties are the parameters. Name and description
    are the function's own unless given here; the other arguments are those of `Tool`. Parameters
    annotated `ToolContext` are filled by the host and part of no schema.

    Raises:
        ToolDefinitionError: A parameter cannot be given by name, or its annotation has no JSON
            Schema; also everything that `Tool` refuses.
    """

    def make(function: Function) -> Tool:
        called = getattr(function, "__name__", "") if name is None else name
        documentation = read_docstring(function.__doc__)
        signature = _signature(function, called)
        return Tool(
            name=called,
            handler=_handler(function, signature),
            description=documentation.description if description is None else description,
            input_schema=_described(signature.input_schema, documentation.parameters),
            output_schema=signature.output_schema,
            timeout_s=timeout_s,
            inline=inline,
            namespace=namespace,
            exposure=exposure,
            effect=effect,
            aliases=aliases,
            wants_context=bool(signature.context_names),
        )

    return make if function is None else make(function)


def _signature(function: Function, called: str) -> Signature:
    from pool.tools.sources.signature import Signature

    try:
        return Signature(function)
    except ValueError as error:
        raise ToolDefinitionError(f"tool {called!r}: {error}") from error


def _handler(function: Function, signature: Signature) -> Handler:
    if inspect.iscoroutinefunction(function):

        async def handle_in_task(argument: Any, context: ToolContext | None = None) -> Any:
            return await function(**signature.convert(argument, context))

        return handle_in_task

    def handle(argument: Any, context: ToolContext | None = None) -> Any:
        return function(**signature.convert(argument, context))

    return handle


def _described(schema: JsonSchema, parameters: Mapping[str, str]) -> JsonSchema:
    """`schema` with the docstring's words where an annotation brought none of its own."""
    properties = {
        name: {"description": parameters[name], **part} if parameters.get(name) else part
        for name, part in schema["properties"].items()
    }
    return {**schema, "properties": properties}
