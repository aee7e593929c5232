"""One call of a program, from its argument to the bytes that answer it.

Offered? valid? permitted? run; shape the result. Whatever a tool does becomes an answer that the
program can read: its own text when it fails, never a traceback, and also when what it raises is
meant to end a process. Only cancellation and an interrupt from the keyboard pass through.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from functools import partial
from typing import Any

import anyio
from anyio.lowlevel import checkpoint_if_cancelled

from pool.errors import ToolError, ValueRefused
from pool.tools.catalog import Catalog
from pool.tools.context import CallIdentity, CallProgress, ToolContext
from pool.tools.failures import ended, failed, text_of
from pool.tools.gate import Ended, Gate, Passage, Returned, passage
from pool.tools.threads import Threads
from pool.tools.tool import Tool, Way
from pool.tools.view import View
from pool.wire.messages import Ask, Call, Settled
from pool.wire.values import encode_value


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
        view: What the session lets this run call at the moment of each call.
        gate: What every call passes before and after its tool runs.
        on_progress: Told on the event loop what a tool reports; does not wait.
    """

    __slots__ = ("_catalog", "_gate", "_on_progress", "_result_bytes", "_threads", "_view")

    def __init__(
        self,
        catalog: Catalog,
        *,
        threads: Threads,
        result_bytes: int,
        view: View | None = None,
        gate: Gate | None = None,
        on_progress: Callable[[CallProgress], None] = lambda _report: None,
    ) -> None:
        self._catalog = catalog
        self._threads = threads
        self._result_bytes = result_bytes
        self._view = view or View()
        self._gate = gate
        self._on_progress = on_progress

    def begin(self, call: Call) -> Settled | Callable[[], Awaitable[Settled]]:
        """Answer a call at once, or return what to await for its answer.

        Refusals and inline tools are answered at once, unless a hook gives something to await: a
        task for each would cost more than the call. What is returned raises nothing but
        cancellation, at which it stops at once.
        """
        tool = self._catalog.tool(call.name)
        if tool is None or not self._view.allows(call.name):
            return _unknown(call.name)
        fault = tool.argument_check and tool.argument_check.fault(call.argument)
        if fault:
            return failed(ToolError(fault))
        context = self._context(tool, call)
        if self._gate is not None:
            run = partial(self._run, tool, context)
            return self._gated(tool, passage(self._gate, tool, call.argument, run))
        if tool.way is Way.INLINE:
            return self._shaped(tool, self._inline(tool, context, call.argument))
        return partial(self._settled, tool, context, call.argument)

    def answer(self, ask: Ask) -> Settled:
        """Answer a question about the catalogue."""
        try:
            answer = self._catalog.answer(ask.question, ask.argument, self._view.now())
            return self._encoded("the answer", answer)
        except ToolError as error:
            return failed(error)

    def _context(self, tool: Tool, call: Call) -> ToolContext | None:
        if not tool.wants_context:
            return None
        return ToolContext(CallIdentity(call.index, tool.name), self._on_progress)

    def _gated(self, tool: Tool, way: Passage) -> Settled | Callable[[], Awaitable[Settled]]:
        if tool.way is not Way.INLINE:
            return partial(self._pass, tool, way, None)
        try:
            awaited = next(way)
        except StopIteration as over:
            return self._shaped(tool, over.value)
        except KeyboardInterrupt:
            raise
        except Exception as error:
            return failed(error)
        except BaseException as error:
            return ended(tool, error)
        return partial(self._pass, tool, way, awaited)

    async def _pass(self, tool: Tool, way: Passage, awaited: Awaitable[Any] | None) -> Settled:
        """Go on from what is `awaited`, or begin."""
        try:
            awaited = awaited or next(way)
            while True:
                try:
                    value = await awaited
                except BaseException as error:
                    awaited = way.throw(error)
                else:
                    awaited = way.send(value)
        except StopIteration as over:
            return self._shaped(tool, over.value)
        except KeyboardInterrupt:
            raise
        except Exception as error:
            return failed(error)
        except BaseException as error:
            await checkpoint_if_cancelled()
            return ended(tool, error)

    async def _settled(self, tool: Tool, context: ToolContext | None, argument: Any) -> Settled:
        return self._shaped(tool, await self._awaited(tool, context, argument))

    def _run(
        self, tool: Tool, context: ToolContext | None, argument: Any
    ) -> Ended | Awaitable[Ended]:
        if not self._view.allows(tool.name):
            return _unknown(tool.name)  # gone while permission was asked for
        run = self._inline if tool.way is Way.INLINE else self._awaited
        return run(tool, context, argument)

    def _inline(self, tool: Tool, context: ToolContext | None, argument: Any) -> Ended:
        try:
            attempted = self._attempt(tool, context, argument)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            # Nothing is awaited here, so not even a cancellation can be ours; passed on, it would
            # end the run's task.
            return ended(tool, error)
        finally:
            if context is not None:
                context.end(is_cancelled=False)
        if not isinstance(attempted, _Pending):
            return attempted
        if isinstance(attempted.result, Coroutine):
            attempted.result.close()
        return failed(ToolError(f"tool {tool.name} is inline and gave something to await"))

    async def _awaited(self, tool: Tool, context: ToolContext | None, argument: Any) -> Ended:
        answer: Ended | None = None
        try:
            with anyio.move_on_after(tool.timeout_s):
                answer = await self._answer_of(tool, context, argument)
        finally:
            if context is not None:
                context.end(is_cancelled=answer is None)
        if answer is not None:
            return answer
        late = f"tool {tool.name} took longer than its {tool.timeout_s} s"
        return failed(ToolError(late, name="TimeoutError"))

    async def _answer_of(self, tool: Tool, context: ToolContext | None, argument: Any) -> Ended:
        attempted: Ended | _Pending
        try:
            if tool.way is Way.THREAD:
                attempt = partial(self._attempt_in_thread, tool, context)
                attempted = await self._threads.run(attempt, argument)
            else:
                attempted = self._attempt(tool, context, argument)
            if isinstance(attempted, _Pending):
                return Returned(await attempted.result)
            return attempted
        except KeyboardInterrupt:
            raise
        except Exception as error:
            return failed(error)
        except BaseException as error:
            # Raises when it is this call that was cancelled. Under asyncio a tool may also let
            # out the cancellation of something that it awaited and others cancelled.
            await checkpoint_if_cancelled()
            return ended(tool, error)

    def _attempt_in_thread(
        self, tool: Tool, context: ToolContext | None, argument: Any
    ) -> Ended | _Pending:
        """As `_attempt`; a result that no hook asks for is encoded here, beside the event loop."""
        attempted = self._attempt(tool, context, argument)
        is_asked_for = self._gate is not None and self._gate.after is not None
        if isinstance(attempted, Returned) and not is_asked_for:
            return self._result(tool, attempted)
        return attempted

    def _attempt(self, tool: Tool, context: ToolContext | None, argument: Any) -> Ended | _Pending:
        """Call the handler.

        What is meant to end more than the call is left to the event loop's side, which alone knows
        a cancellation when it sees one.
        """
        try:
            result = tool.handler(argument, context) if context else tool.handler(argument)
        except (Exception, GeneratorExit) as error:
            # The second one must not travel through a future: asyncio cannot raise it there.
            return failed(error)
        return _Pending(result) if inspect.isawaitable(result) else Returned(result)

    def _shaped(self, tool: Tool, answer: Ended) -> Settled:
        """On the event loop. Nothing is awaited here: what ends more than the call is not ours."""
        if isinstance(answer, Settled):
            return answer
        try:
            return self._result(tool, answer)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            return ended(tool, error)

    def _result(self, tool: Tool, returned: Returned) -> Settled:
        return self._encoded(f"the result of tool {tool.name}", returned.result)

    def _encoded(self, what: str, value: Any) -> Settled:
        try:
            payload = encode_value(value, limit_bytes=self._result_bytes, where="result")
        except ValueRefused as error:
            return failed(ToolError(f"{what} cannot be sent: {error}"))
        except Exception as error:  # a property or a model of the tool's own that raises
            return failed(ToolError(f"{what} cannot be sent: {text_of(error)}"))
        return Settled(ok=True, payload=payload)


def _unknown(name: str) -> Settled:
    return failed(ToolError(f"no tool is called {json.dumps(name[:200], ensure_ascii=False)}"))
