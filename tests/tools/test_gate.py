"""Permission and hooks: the order of a call's way, and that a refusal never lets it through."""

from __future__ import annotations

import gc
import math

import anyio
import msgpack
import pytest

from pool.errors import ToolError
from pool.tools.catalog import Catalog
from pool.tools.dispatch import Dispatcher
from pool.tools.gate import Gate, Replaced
from pool.tools.threads import Threads
from pool.tools.tool import Tool
from pool.wire.messages import Call, Settled

pytestmark = pytest.mark.anyio

SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}

WAYS = ("task", "thread", "inline")


class Scene:
    """One tool `a.t` behind a gate; keeps what happened, in order."""

    def __init__(self, way: str, raises: Exception | None = None) -> None:
        self.happened: list[object] = []
        self._raises = raises

        async def in_task(argument):
            return self._run(argument)

        handler = in_task if way == "task" else self._run
        self.tool = Tool(name="a.t", handler=handler, input_schema=SCHEMA, inline=way == "inline")

    def _run(self, argument):
        self.happened.append("run")
        if self._raises is not None:
            raise self._raises
        return {"got": argument["n"]}

    def begin(self, gate, argument=None):
        dispatcher = Dispatcher(
            Catalog([self.tool]), threads=Threads(4), result_bytes=1000, gate=gate
        )
        return dispatcher.begin(Call(1, 0, "a.t", {"n": 1} if argument is None else argument))

    async def call(self, argument=None, **hooks):
        begun = self.begin(Gate(**hooks), argument)
        settled = begun if isinstance(begun, Settled) else await begun()
        value = msgpack.unpackb(settled.payload)
        return value if settled.ok else value["message"]


@pytest.fixture(params=WAYS)
def scene(request):
    return Scene(request.param)


def plain(function):
    return function


def awaited(function):
    async def hook(*arguments):
        await anyio.lowlevel.checkpoint()
        return function(*arguments)

    return hook


@pytest.fixture(params=[plain, awaited], ids=["plain", "awaited"])
def hook(request):
    """Makes a hook of a plain function, which answers at once or when it is awaited."""
    return request.param


def fails(error):
    def hook(*arguments):
        raise error

    return hook


async def test_t1_an_empty_gate_changes_nothing(scene):
    assert await scene.call() == {"got": 1}


async def test_t1_a_call_is_validated_permitted_prepared_run_and_finished_in_this_order(
    scene, hook
):
    seen = scene.happened

    await scene.call(
        permit=hook(lambda tool, argument: seen.append(("permit", tool.name, argument)) or True),
        before=hook(lambda tool, argument: seen.append(("before", tool.name, argument))),
        after=hook(lambda tool, argument, result: seen.append(("after", argument, result))),
    )

    assert seen == [
        ("permit", "a.t", {"n": 1}),
        ("before", "a.t", {"n": 1}),
        "run",
        ("after", {"n": 1}, {"got": 1}),
    ]


async def test_t1_an_invalid_call_reaches_no_hook(scene):
    refused = await scene.call({}, permit=fails(AssertionError), before=fails(AssertionError))

    assert '"n" is a required property' in refused
    assert scene.happened == []


async def test_t5_a_refusal_is_the_text_that_permission_gives(scene, hook):
    assert await scene.call(permit=hook(lambda *_: "only on weekdays")) == "only on weekdays"
    assert scene.happened == []
    assert await scene.call(permit=hook(lambda *_: True)) == {"got": 1}


@pytest.mark.parametrize("answer", [False, None, "", 0, 1, [True]], ids=repr)
async def test_t1_nothing_but_true_lets_a_call_through(scene, hook, answer):
    assert await scene.call(permit=hook(lambda *_: answer)) == "tool a.t is not permitted"
    assert scene.happened == []


@pytest.mark.parametrize("error", [ValueError("the key is 123"), KeyError("x")], ids=repr)
async def test_t1_permission_that_fails_refuses_and_says_nothing_of_the_host(scene, hook, error):
    refused = await scene.call(permit=hook(fails(error)))

    assert refused == "tool a.t is refused: no permission could be had"
    assert scene.happened == []


async def test_t5_permission_may_refuse_with_a_tool_error(scene, hook):
    assert await scene.call(permit=hook(fails(ToolError("ask Eve")))) == "ask Eve"


@pytest.mark.parametrize("name", ["permit", "before"])
async def test_t1_a_hook_that_exits_ends_the_call_only(scene, hook, name):
    refused = await scene.call(**{name: hook(fails(SystemExit(3)))})

    assert refused == "tool a.t raised SystemExit: 3"
    assert scene.happened == []


async def test_t1_before_rewrites_the_argument(scene, hook):
    assert await scene.call(before=hook(lambda *_: {"n": 2})) == {"got": 2}


async def test_t1_a_rewritten_argument_is_validated_again(scene, hook):
    refused = await scene.call(before=hook(lambda *_: {"n": "two"}))

    assert 'argument.n: "two" is not of type "integer"' in refused
    assert scene.happened == []


async def test_t5_before_refuses_with_its_own_text(scene, hook):
    assert await scene.call(before=hook(fails(ToolError("not now")))) == "not now"
    assert scene.happened == []


@pytest.mark.parametrize("result", [None, {"cached": True}])
async def test_t1_before_replaces_the_result_and_the_tool_is_not_run(scene, hook, result):
    assert await scene.call(before=hook(lambda *_: Replaced(result))) == result
    assert scene.happened == []


async def test_t1_after_sees_a_result_that_before_gave(scene, hook):
    assert (
        await scene.call(
            before=hook(lambda *_: Replaced(1)), after=hook(lambda _tool, _given, got: got + 1)
        )
        == 2
    )


@pytest.mark.parametrize(
    ("given", "result"),
    [(None, {"got": 1}), ("other", "other"), (Replaced(None), None)],
    ids=["kept", "other", "nothing"],
)
async def test_t1_after_keeps_or_replaces_the_result(scene, hook, given, result):
    assert await scene.call(after=hook(lambda *_: given)) == result


async def test_t5_after_may_fail_the_call(scene, hook):
    assert await scene.call(after=hook(fails(ToolError("secret found")))) == "secret found"
    assert scene.happened == ["run"]


@pytest.mark.parametrize("way", WAYS)
async def test_t1_after_is_not_asked_about_a_call_that_failed(way):
    scene = Scene(way, raises=ValueError("no such note"))

    assert await scene.call(after=fails(AssertionError())) == "no such note"


async def test_t1_after_may_replace_what_cannot_be_sent(hook):
    scene = Scene("inline")
    scene.tool = Tool(name="a.t", handler=lambda argument: object(), inline=True)

    assert "cannot be sent" in await scene.call(after=hook(lambda *_: None))
    assert await scene.call(after=hook(lambda *_: "text")) == "text"


async def test_t1_an_inline_tool_behind_plain_hooks_is_answered_at_once():
    scene = Scene("inline")
    gate = Gate(permit=lambda *_: True, before=lambda *_: None, after=lambda *_: None)

    assert isinstance(scene.begin(gate), Settled)


async def test_s7_a_call_that_ends_before_its_hook_is_awaited_leaves_nothing_behind():
    async def permit(tool, argument):
        return True

    begun = Scene("inline").begin(Gate(permit=permit))
    assert not isinstance(begun, Settled)
    del begun
    gc.collect()  # a coroutine nobody awaited would be a warning, and warnings are errors


async def test_s7_cancelling_a_call_that_waits_for_permission_runs_nothing(scene):
    asked = anyio.Event()

    async def permit(tool, argument):
        asked.set()
        await anyio.sleep_forever()

    with anyio.fail_after(5):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(scene.begin(Gate(permit=permit)))
            await asked.wait()
            tasks.cancel_scope.cancel()

    assert scene.happened == []


async def test_t7_a_tools_timeout_does_not_count_the_time_of_hooks():
    deadlines = []

    async def look(*arguments):
        deadlines.append(anyio.current_effective_deadline())
        return True

    scene = Scene("task")
    scene.tool = Tool(name="a.t", handler=look, timeout_s=60)
    await scene.call(permit=look, after=look)

    assert [deadline < math.inf for deadline in deadlines] == [False, True, False]
