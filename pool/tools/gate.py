"""What a host puts before and after every call of a run: permission and hooks.

    validate → permit → before → run → after → shape

The way is written once, as a generator that yields what has to be awaited and returns the result:
where nothing is awaited it is over at once, without a task. Policy hangs on `tool.name`, the
canonical name; how a program spells it does not show here.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Coroutine, Generator
from dataclasses import dataclass
from inspect import isawaitable
from typing import Any, TypeAlias

from pool.errors import ToolError
from pool.tools.tool import Tool
from pool.wire.messages import Settled

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Replaced:
    """A hook's answer: this is the result of the call, whatever it is. Also for `None`."""

    result: Any


@dataclass(frozen=True, slots=True)
class Gate:
    """Permission and hooks. Each may be a plain function, which must not block, or give something
    to await. What they take is bounded by the run's time, not by the tool's own timeout.

    Attributes:
        permit: `permit(tool, argument)` lets the call through with `True` and nothing else. A text
            refuses it in those words; whatever it raises refuses too.
        before: `before(tool, argument)` gives `None` to go on, another argument, which is checked
            against the schema again, or `Replaced(result)`: then the tool is not run. Raises
            `ToolError` to refuse.
        after: `after(tool, argument, result)` gives `None` to keep the result, or another one;
            `Replaced(None)` for nothing. What it raises is the call's error. Not asked about calls
            that failed.
    """

    permit: Callable[[Tool, Any], Any] | None = None
    before: Callable[[Tool, Any], Any] | None = None
    after: Callable[[Tool, Any, Any], Any] | None = None


@dataclass(frozen=True, slots=True)
class Returned:
    """What a tool gave, before it is shaped for the program."""

    result: Any


Ended: TypeAlias = Settled | Returned

Passage: TypeAlias = Generator[Awaitable[Any], Any, Ended]


def passage(
    gate: Gate, tool: Tool, argument: Any, run: Callable[[Any], Ended | Awaitable[Ended]]
) -> Passage:
    """The way of one call whose argument is valid.

    Args:
        run: Runs the tool. A `Settled` that it gives is final.

    Raises:
        ToolError: The call is refused.
        Exception: What a hook raised.
    """
    if gate.permit is not None:
        yield from _permission(gate.permit, tool, argument)
    given = None
    if gate.before is not None:
        given = yield from _value(gate.before(tool, argument))
    if isinstance(given, Replaced):
        ended: Ended = Returned(given.result)
    else:
        argument = argument if given is None else _checked(tool, given)
        ended = yield from _value(run(argument))
    if gate.after is None or isinstance(ended, Settled):
        return ended
    given = yield from _value(gate.after(tool, argument, ended.result))
    if isinstance(given, Replaced):
        return Returned(given.result)
    return ended if given is None else Returned(given)


def _permission(
    permit: Callable[[Tool, Any], Any], tool: Tool, argument: Any
) -> Generator[Awaitable[Any], Any, None]:
    try:
        answer = yield from _value(permit(tool, argument))
    except ToolError:
        raise
    except Exception as error:
        # Its text is about the host, not for a program.
        logger.exception("permission for tool %s could not be decided", tool.name)
        raise ToolError(f"tool {tool.name} is refused: no permission could be had") from error
    if answer is True:
        return
    is_text = isinstance(answer, str) and answer
    raise ToolError(answer if is_text else f"tool {tool.name} is not permitted")


def _value(given: Any) -> Generator[Awaitable[Any], Any, Any]:
    """`given`, or what awaiting it gives."""
    if not isawaitable(given):
        return given
    try:
        return (yield given)
    finally:
        # Of a call that was cancelled before anybody could await it.
        if isinstance(given, Coroutine):
            given.close()


def _checked(tool: Tool, argument: Any) -> Any:
    fault = tool.argument_check and tool.argument_check.fault(argument)
    if fault:
        raise ToolError(fault)
    return argument
