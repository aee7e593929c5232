"""One call of a program, from its argument to the bytes that answer it.

Offered? valid? run; shape the result. Whatever a tool does becomes an answer that the program can
read: its own text when it fails, never a traceback, and also when what it raises is meant to end a
process. Only cancellation and an interrupt from the keyboard pass through.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import anyio
from anyio.lowlevel import checkpoint_if_cancelled

from pool.errors import ToolError, ValueRefused
from pool.limits import KIB
from pool.tools.catalog import Catalog
from pool.tools.context import CallIdentity, CallProgress, ToolContext
from pool.tools.threads import Threads
from pool.tools.tool import Tool, Way
from pool.wire.messages import Ask, Call, Settled
from pool.wire.values import encode_value

# As much of a message as the outcome keeps (spec S-10).
MAX_MESSAGE_CHARS: Final = 16_384

# An error is a name and a message of bounded length, whatever the limit for results is.
_ERROR_BYTES: Final = 128 * KIB


@dataclass(frozen=True, slots=True)
class _Pending:
    """What a handler gave to be awaited. Boxed: trio lets no thread return a bare coroutine."""

    result: Awaitable[Any]


class Dispatcher:
    """Carries out the calls of one run.

    Args:
        catalog: What the run may call.
        threads: For tools that are plain functions.
        result_bytes: Most bytes an encoded result may have.
        on_progress: Told on the event loop what a tool reports; does not wait.
    """

    __slots__ = ("_catalog", "_on_progress", "_result_bytes", "_threads")

    def __init__(
        self,
        catalog: Catalog,
        *,
        threads: Threads,
        result_bytes: int,
        on_progress: Callable[[CallProgress], None] = lambda _report: None,
    ) -> None:
        self._catalog = catalog
        self._threads = threads
        self._result_bytes = result_bytes
        self._on_progress = on_progress

    def begin(self, call: Call) -> Settled | Callable[[], Awaitable[Settled]]:
        """Answer a call at once, or return what to await for its answer.

        Refusals and inline tools are answered at once: a task for each would cost more than the
        call. What is returned raises nothing but cancellation, at which it stops at once.
        """
        tool = self._catalog.tool(call.name)
        if tool is None:
            return _failed(ToolError(f"no tool is called {_quoted(call.name)}"))
        fault = tool.argument_check and tool.argument_check.fault(call.argument)
        if fault:
            return _failed(ToolError(fault))
        context = self._context(tool, call)
        if tool.way is Way.INLINE:
            return self._inline(tool, call.argument, context)
        return partial(self._run, tool, call.argument, context)

    def answer(self, ask: Ask) -> Settled:
        """Answer a question about the catalogue."""
        try:
            return self._shaped("the answer", self._catalog.answer(ask.question, ask.argument))
        except ToolError as error:
            return _failed(error)

    def _context(self, tool: Tool, call: Call) -> ToolContext | None:
        if not tool.wants_context:
            return None
        return ToolContext(CallIdentity(call.index, tool.name), self._on_progress)

    def _inline(self, tool: Tool, argument: Any, context: ToolContext | None) -> Settled:
        try:
            attempted = self._attempt(tool, context, argument)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            # Nothing is awaited here, so not even a cancellation can be ours; passed on, it would
            # end the run's task.
            return _ended(tool, error)
        finally:
            if context is not None:
                context.end(is_cancelled=False)
        if isinstance(attempted, Settled):
            return attempted
        if isinstance(attempted.result, Coroutine):
            attempted.result.close()
        return _failed(ToolError(f"tool {tool.name} is inline and gave something to await"))

    async def _run(self, tool: Tool, argument: Any, context: ToolContext | None) -> Settled:
        settled = None
        try:
            with anyio.move_on_after(tool.timeout_s):
                settled = await self._awaited(tool, argument, context)
        finally:
            if context is not None:
                context.end(is_cancelled=settled is None)
        if settled is not None:
            return settled
        late = f"tool {tool.name} took longer than its {tool.timeout_s} s"
        return _failed(ToolError(late, name="TimeoutError"))

    async def _awaited(self, tool: Tool, argument: Any, context: ToolContext | None) -> Settled:
        try:
            attempt = partial(self._attempt, tool, context)
            if tool.way is Way.THREAD:
                attempted = await self._threads.run(attempt, argument)
            else:
                attempted = attempt(argument)
            if isinstance(attempted, Settled):
                return attempted
            return self._result(tool, await attempted.result)
        except KeyboardInterrupt:
            raise
        except Exception as error:
            return _failed(error)
        except BaseException as error:
            # Raises when it is this call that was cancelled. Under asyncio a tool may also let
            # out the cancellation of something that it awaited and others cancelled.
            await checkpoint_if_cancelled()
            return _ended(tool, error)

    def _attempt(
        self, tool: Tool, context: ToolContext | None, argument: Any
    ) -> Settled | _Pending:
        """Call the handler. For plain functions the result is encoded here too: in the thread.

        What is meant to end more than the call is left to the event loop's side, which alone knows
        a cancellation when it sees one.
        """
        try:
            result = tool.handler(argument, context) if context else tool.handler(argument)
        except (Exception, GeneratorExit) as error:
            # The second one must not travel through a future: asyncio cannot raise it there.
            return _failed(error)
        return _Pending(result) if inspect.isawaitable(result) else self._result(tool, result)

    def _result(self, tool: Tool, result: Any) -> Settled:
        return self._shaped(f"the result of tool {tool.name}", result)

    def _shaped(self, what: str, value: Any) -> Settled:
        try:
            payload = encode_value(value, limit_bytes=self._result_bytes, where="result")
        except ValueRefused as error:
            return _failed(ToolError(f"{what} cannot be sent: {error}"))
        except Exception as error:  # a property or a model of the tool's own that raises
            return _failed(ToolError(f"{what} cannot be sent: {_text(error)}"))
        return Settled(ok=True, payload=payload)


def _ended(tool: Tool, error: BaseException) -> Settled:
    """The answer of a tool that raised what ends more than a call, as `sys.exit` does."""
    while isinstance(error, BaseExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    if isinstance(error, anyio.get_cancelled_exc_class()):
        return _failed(ToolError(f"tool {tool.name} was cancelled from within"))
    return _failed(ToolError(f"tool {tool.name} raised {type(error).__name__}: {_text(error)}"))


def _failed(error: BaseException) -> Settled:
    """The answer of a call that failed: the tool's own words."""
    while isinstance(error, ExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]  # a task group in the tool wraps even a single error
    name = error.name if isinstance(error, ToolError) else "Error"
    document = {"name": name, "message": _text(error)}
    payload = encode_value(document, limit_bytes=_ERROR_BYTES, where="error")
    return Settled(ok=False, payload=payload)


def _text(error: BaseException) -> str:
    try:
        text = str(error)
    except Exception:
        text = ""
    text = text or type(error).__name__
    if len(text) <= MAX_MESSAGE_CHARS:
        return text
    return f"{text[:MAX_MESSAGE_CHARS]} … ({len(text) - MAX_MESSAGE_CHARS} characters left out)"


def _quoted(name: str) -> str:
    return json.dumps(name[:200], ensure_ascii=False)
