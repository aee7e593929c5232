from __future__ import annotations

import dataclasses
import functools
from threading import Event, current_thread, main_thread

import anyio
import msgpack
import pytest

from pool.errors import ToolError
from pool.tools.catalog import Catalog
from pool.tools.dispatch import Dispatcher
from pool.tools.failures import MAX_MESSAGE_CHARS
from pool.tools.threads import Threads
from pool.tools.tool import Tool
from pool.wire.messages import Ask, Call, Question, Settled

pytestmark = pytest.mark.anyio

OBJECT = {"type": "object", "properties": {"limit": {"type": "integer", "minimum": 1}}}


def dispatcher(*tools, result_bytes=1_000_000):
    return Dispatcher(Catalog(tools), threads=Threads(4), result_bytes=result_bytes)


async def settle(tool, argument=None, *, name=None, **fields):
    """The answer of one call as `(ok, value)`."""
    begun = dispatcher(tool, **fields).begin(
        Call(1, 0, tool.name if name is None else name, {} if argument is None else argument)
    )
    settled = begun if isinstance(begun, Settled) else await begun()
    return settled.ok, msgpack.unpackb(settled.payload)


def failure(message, name="Error"):
    return False, {"name": name, "message": message}


async def wait_for_ever(argument):
    await anyio.sleep_forever()


def coroutine_tool(handler):
    @functools.wraps(handler)
    async def handle(argument):
        return handler(argument)

    return Tool(name="t", handler=handle)


WAYS = {
    "task": coroutine_tool,
    "thread": lambda handler: Tool(name="t", handler=handler),
    "inline": lambda handler: Tool(name="t", handler=handler, inline=True),
}


@pytest.fixture(params=WAYS.values(), ids=WAYS.keys())
def make(request):
    """Makes a tool of a plain function, in each of the ways a tool can run."""
    return request.param


async def test_a_result_is_handed_back(make):
    assert await settle(make(lambda argument: [argument, b"\x00"]), {"a": 1}) == (
        True,
        [{"a": 1}, b"\x00"],
    )


async def test_an_error_is_the_tools_own_text(make):
    def refuse(argument):
        raise ValueError("no such note: 7")

    assert await settle(make(refuse)) == failure("no such note: 7")


async def test_an_error_without_text_is_its_class(make):
    def refuse(argument):
        raise LookupError

    assert await settle(make(refuse)) == failure("LookupError")


async def test_a_tool_error_brings_its_own_name(make):
    def refuse(argument):
        raise ToolError("not today", name="AppCallDenied")

    assert await settle(make(refuse)) == failure("not today", name="AppCallDenied")


async def test_a_single_error_in_a_group_speaks_for_itself(make):
    def refuse(argument):
        raise ExceptionGroup("unhandled errors", [ExceptionGroup("x", [ValueError("inner")])])

    assert await settle(make(refuse)) == failure("inner")


async def test_an_error_whose_text_cannot_be_had_is_its_class(make):
    class Broken(Exception):
        def __str__(self):
            raise RuntimeError

    def refuse(argument):
        raise Broken

    assert await settle(make(refuse)) == failure("Broken")


async def test_a_long_error_is_cut_and_says_so(make):
    def refuse(argument):
        raise ValueError("x" * (MAX_MESSAGE_CHARS + 5) + "\ud800")

    ok, error = await settle(make(refuse))

    assert not ok
    assert error["message"] == "x" * MAX_MESSAGE_CHARS + " … (6 characters left out)"


async def test_an_error_longer_than_a_result_may_be_arrives_all_the_same(make):
    def refuse(argument):
        raise ValueError("x" * 100)

    assert await settle(make(refuse), result_bytes=10) == failure("x" * 100)


async def test_a_result_with_no_counterpart_names_tool_and_path(make):
    ok, error = await settle(make(lambda argument: {"rows": [1, object()]}))

    assert not ok
    assert "the result of tool t cannot be sent: result.rows[1]" in error["message"]


async def test_a_result_that_raises_while_it_is_encoded_is_an_error(make):
    @dataclasses.dataclass
    class Row:
        when: int = dataclasses.field(init=False)  # never set, so reading it raises

    ok, error = await settle(make(lambda argument: Row()))

    assert not ok
    assert error["message"].startswith("the result of tool t cannot be sent: ")


async def test_a_result_above_the_limit_names_the_limit(make):
    ok, error = await settle(make(lambda argument: "x" * 200), result_bytes=100)

    assert not ok
    assert "100" in error["message"]


async def test_a_result_at_the_limit_is_handed_back(make):
    assert await settle(make(lambda argument: "x" * 98), result_bytes=100) == (True, "x" * 98)


async def test_a_tool_that_is_not_offered_is_an_error():
    ok, error = await settle(Tool(name="t", handler=len), name='x"')

    assert (ok, error["message"]) == (False, 'no tool is called "x\\""')


async def test_an_identifier_does_not_open_a_tool():
    tool = Tool(name="a-b", handler=len)

    assert (await settle(tool, name="a_b"))[0] is False
    assert (await settle(tool, name="a-b"))[0] is True


@pytest.mark.parametrize("argument", [{"limit": 0}, 5, [], "text", b"bytes"])
async def test_an_argument_that_fails_the_schema_never_reaches_the_handler(argument):
    seen = []
    ok, error = await settle(Tool(name="t", handler=seen.append, input_schema=OBJECT), argument)

    assert not ok
    assert error["message"].startswith("argument")
    assert seen == []


async def test_a_valid_argument_reaches_the_handler():
    tool = Tool(name="t", handler=lambda argument: argument, input_schema=OBJECT)

    assert await settle(tool, {"limit": 1}) == (True, {"limit": 1})


@pytest.mark.parametrize("argument", [5, "text", [1], b"bytes", False])
async def test_without_a_schema_any_argument_is_handed_over(make, argument):
    assert await settle(make(lambda argument: argument), argument) == (True, argument)


async def test_a_plain_function_runs_in_a_thread():
    tool = Tool(name="t", handler=lambda argument: current_thread() is main_thread())

    assert await settle(tool) == (True, False)


async def test_an_inline_function_runs_on_the_loop_and_answers_at_once():
    tool = Tool(name="t", handler=lambda argument: current_thread() is main_thread(), inline=True)

    settled = dispatcher(tool).begin(Call(1, 0, "t", {}))

    assert settled == Settled(ok=True, payload=msgpack.packb(True))


async def test_a_plain_function_that_gives_a_coroutine_has_it_awaited():
    async def later():
        await anyio.lowlevel.checkpoint()
        return 5

    assert await settle(Tool(name="t", handler=lambda argument: later())) == (True, 5)


async def test_an_inline_function_that_gives_a_coroutine_is_an_error():
    async def later():
        return 5

    ok, error = await settle(Tool(name="t", handler=lambda argument: later(), inline=True))

    assert not ok
    assert "gave something to await" in error["message"]


async def test_a_coroutine_that_takes_too_long_is_stopped():
    tool = Tool(name="t", handler=wait_for_ever, timeout_s=0.01)

    with anyio.fail_after(5):
        answer = await settle(tool)

    assert answer == failure("tool t took longer than its 0.01 s", name="TimeoutError")


async def test_a_thread_that_takes_too_long_is_left_behind():
    may_return = Event()
    tool = Tool(name="t", handler=lambda argument: may_return.wait(10), timeout_s=0.01)

    with anyio.fail_after(5):
        answer = await settle(tool)

    assert answer == failure("tool t took longer than its 0.01 s", name="TimeoutError")
    may_return.set()


async def test_a_tools_own_timeout_error_is_its_own():
    async def refuse(argument):
        raise TimeoutError("the server did not answer")

    tool = Tool(name="t", handler=refuse, timeout_s=60)

    assert await settle(tool) == failure("the server did not answer")


async def test_a_cancelled_call_stops_its_coroutine_and_passes_the_cancellation_on():
    stopped = []

    async def wait(argument):
        try:
            await anyio.sleep_forever()
        finally:
            stopped.append(True)

    with anyio.move_on_after(0.01) as scope:
        await settle(Tool(name="t", handler=wait))

    assert scope.cancelled_caught
    assert stopped == [True]


@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_a_tool_that_lets_a_foreign_cancellation_out_still_has_an_answer():
    async def wait(argument):
        raise anyio.get_cancelled_exc_class()

    assert await settle(Tool(name="t", handler=wait)) == failure("tool t was cancelled from within")


@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_an_inline_tool_that_lets_a_foreign_cancellation_out_still_has_an_answer():
    def refuse(argument):
        raise anyio.get_cancelled_exc_class()

    assert await settle(Tool(name="t", handler=refuse, inline=True)) == failure(
        "tool t was cancelled from within"
    )


class Leaving(BaseException):
    pass


ENDING = {
    "SystemExit: 3": lambda: SystemExit(3),
    "SystemExit: SystemExit": SystemExit,
    "Leaving: good-bye": lambda: Leaving("good-bye"),
    "SystemExit: 4": lambda: BaseExceptionGroup("one", [SystemExit(4)]),
}


@pytest.mark.parametrize(("words", "error"), ENDING.items(), ids=ENDING.keys())
async def test_what_would_end_the_process_ends_the_call_only(make, error, words):
    def leave(argument):
        raise error()

    assert await settle(make(leave)) == failure(f"tool t raised {words}")


async def test_the_end_of_a_generator_ends_the_call_only(make):
    def leave(argument):
        raise GeneratorExit("no more")

    ok, error = await settle(make(leave))

    assert not ok
    assert error["message"].endswith("no more")


async def test_a_result_that_exits_while_it_is_encoded_ends_the_call_only(make):
    class Leaves(dict):
        def items(self):
            raise SystemExit(3)

    assert await settle(make(lambda argument: Leaves(a=1))) == failure(
        "tool t raised SystemExit: 3"
    )


async def test_an_interrupt_from_the_keyboard_passes_through(make):
    def interrupt(argument):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        await settle(make(interrupt))


async def test_of_a_cancelled_call_nothing_but_the_cancellation_passes_through():
    async def leave(argument):
        try:
            await anyio.sleep_forever()
        except anyio.get_cancelled_exc_class() as cancelled:
            raise BaseExceptionGroup("both", [cancelled, SystemExit(3)]) from None

    with anyio.CancelScope() as scope:
        scope.cancel()
        await settle(Tool(name="t", handler=leave))

    assert scope.cancelled_caught


async def test_a_question_is_answered_from_the_catalogue():
    settled = dispatcher(Tool(name="t", handler=len)).answer(
        Ask(1, 0, Question.SEARCH, {"query": "t"})
    )

    assert settled.ok
    assert msgpack.unpackb(settled.payload) == [{"name": "t", "description": ""}]


async def test_a_question_that_makes_no_sense_is_an_error():
    settled = dispatcher().answer(Ask(1, 0, Question.SEARCH, {"query": ""}))

    assert not settled.ok
    assert "searchTools needs a query" in msgpack.unpackb(settled.payload)["message"]
