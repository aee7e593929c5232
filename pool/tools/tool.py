"""What a program may call: the definition of one tool.

A `Tool` is checked once, when it is made, and never changes. It says how its handler runs (`Way`);
`dispatch.py` runs it. Making tools out of other things (Python functions, directories) is the
business of `sources/` and `workspace/`; which tools a run may call is a `Catalog`.
"""

from __future__ import annotations

import copy
import functools
import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import Any, TypeAlias

from pool.errors import ToolDefinitionError
from pool.tools.arguments import ArgumentCheck
from pool.tools.exposure import Exposure

# A JSON Schema document; its own specification is the type.
JsonSchema: TypeAlias = Mapping[str, Any]

# Takes the argument of the call, and a `ToolContext` when the tool wants one.
Handler: TypeAlias = Callable[..., Any]


class Way(Enum):
    """Where a handler runs."""

    TASK = "task"  # a coroutine function, in a task of the run
    THREAD = "thread"  # a plain function, in a thread of the pool
    INLINE = "inline"  # a quick pure function, on the event loop itself


class Effect(StrEnum):
    """What calling a tool twice does, as its owner states it."""

    READ = "read"  # changes nothing
    IDEMPOTENT = "idempotent"  # the second time changes nothing more
    WRITE = "write"  # anything


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tool:
    """One callable thing on the host. Two tools are equal only when they are the same object.

    Attributes:
        name: Canonical name; the program sees an identifier made of it.
        handler: Takes the one argument value of the call. Coroutine functions run in a task, plain
            functions in a thread, or on the event loop when `inline` is set.
        description: For the model, in `ALL_TOOLS`, search and declaration.
        input_schema: JSON Schema that the argument must meet before the handler sees it; without
            one, any value is handed over.
        output_schema: JSON Schema of the result, shown to the model. Results are not checked.
        timeout_s: Seconds one call may take, apart from the run's own limit.
        inline: The handler is a plain function that neither blocks nor computes for long.
        namespace: Groups tools in search and grants nothing.
        exposure: Who may see and call it.
        effect: What calling it twice does; nobody's word for it is checked.
        aliases: Other words for it, found by search and shown nowhere.
        wants_context: The handler takes a `ToolContext` as its second argument.

    Raises:
        ToolDefinitionError: A field is not usable; the message names the tool and the fault.
    """

    name: str
    handler: Handler
    description: str = ""
    input_schema: JsonSchema | None = None
    output_schema: JsonSchema | None = None
    timeout_s: float | None = None
    inline: bool = False
    namespace: str | None = None
    exposure: Exposure = Exposure.DIRECT
    effect: Effect = Effect.WRITE
    aliases: tuple[str, ...] = ()
    wants_context: bool = False
    way: Way = field(init=False, repr=False)
    argument_check: ArgumentCheck | None = field(init=False, repr=False)

    def __post_init__(self) -> None:
        fault = _fault(self)
        if fault is not None:
            raise ToolDefinitionError(f"tool {self.name!r}: {fault}")
        # Copied, so that a caller who goes on editing a schema does not change a tool under a run.
        self._set("input_schema", copy.deepcopy(self.input_schema))
        self._set("output_schema", copy.deepcopy(self.output_schema))
        self._set("way", _way(self))
        self._set("argument_check", self._compiled("input_schema"))
        self._compiled("output_schema")

    def _compiled(self, name: str) -> ArgumentCheck | None:
        schema = getattr(self, name)
        if schema is None:
            return None
        try:
            return ArgumentCheck.of(schema)
        except ValueError as error:
            raise ToolDefinitionError(
                f"tool {self.name!r}: {name} is no valid JSON Schema: {error}"
            ) from error

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)


def _fault(tool: Tool) -> str | None:
    """The first thing that is wrong with the plain fields, or None."""
    if not _is_text(tool.name) or not tool.name:
        return "name must be a non-empty text"
    handler: object = tool.handler
    if not callable(handler):
        return "handler must be callable"
    if not _is_text(tool.description):
        return "description must be a text"
    if tool.namespace is not None and not (_is_text(tool.namespace) and tool.namespace):
        return "namespace must be a non-empty text or None"
    return (
        _policy_fault(tool)
        or _schema_fault(tool)
        or _timeout_fault(tool.timeout_s)
        or _inline_fault(tool)
    )


def _policy_fault(tool: Tool) -> str | None:
    exposure: object = tool.exposure
    effect: object = tool.effect
    if not isinstance(exposure, Exposure):
        return "exposure must be an Exposure"
    if not isinstance(effect, Effect):
        return "effect must be an Effect"
    if not (isinstance(tool.aliases, tuple) and all(map(_is_text, tool.aliases))):
        return "aliases must be a tuple of texts"
    return None


def _is_text(value: object) -> bool:
    """Whether `value` is a text that UTF-8 can carry: it holds no lone surrogate."""
    return isinstance(value, str) and not any("\ud800" <= char <= "\udfff" for char in value)


def _schema_fault(tool: Tool) -> str | None:
    for name in ("input_schema", "output_schema"):
        if not isinstance(getattr(tool, name), dict | None):
            return f"{name} must be a JSON Schema object (a dict) or None"
    return None


def _timeout_fault(timeout_s: Any) -> str | None:
    is_number = isinstance(timeout_s, int | float) and not isinstance(timeout_s, bool)
    if timeout_s is None or (is_number and math.isfinite(timeout_s) and timeout_s > 0):
        return None
    return f"timeout_s must be a positive, finite number of seconds, not {timeout_s!r}"


def _inline_fault(tool: Tool) -> str | None:
    if not tool.inline:
        return None
    if _is_coroutine_function(tool.handler):
        return "inline=True needs a plain function, the handler is a coroutine function"
    if tool.timeout_s is not None:
        return "inline=True runs on the event loop, where timeout_s cannot be kept"
    return None


def _way(tool: Tool) -> Way:
    if tool.inline:
        return Way.INLINE
    return Way.TASK if _is_coroutine_function(tool.handler) else Way.THREAD


def _is_coroutine_function(handler: Handler) -> bool:
    while isinstance(handler, functools.partial):
        handler = handler.func
    called = type(handler).__call__ if not inspect.isroutine(handler) else handler
    return inspect.iscoroutinefunction(handler) or inspect.iscoroutinefunction(called)
