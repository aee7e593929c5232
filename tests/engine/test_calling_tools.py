"""Tools as a program finds and calls them: spec T-1 to T-3, T-5 to T-7 and S-4's catalogue."""

from __future__ import annotations

import threading
from contextvars import ContextVar

import anyio
import pytest
from live_pools import PATIENCE_S

from pool import ABSENT, BlockingPool, Pool, Tool, ToolError, tool

SCHEMA = {
    "type": "object",
    "properties": {"n": {"type": "integer"}},
    "required": ["n"],
    "additionalProperties": False,
}


@tool
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@tool(name="read-file")
async def read_file(path: str) -> str:
    """Read a file."""
    return f"contents of {path}"


def echo(name: str, **more) -> Tool:
    return Tool(name=name, handler=lambda argument: [name, argument], inline=True, **more)


def test_t1_a_call_runs_the_tool_and_gives_its_result(evaluate):
    assert evaluate("return await tools.add({a: 1, b: 2})", tools=[add]) == 3


def test_t1_no_argument_is_an_empty_object(evaluate):
    assert evaluate("return await tools.e()", tools=[echo("e")]) == ["e", {}]


@pytest.mark.parametrize("argument", ["1", "'x'", "null", "[1]", "true"])
def test_t1_another_argument_is_handed_over_where_there_is_no_schema(evaluate, argument):
    _, value = evaluate(f"return await tools.e({argument})", tools=[echo("e")])

    assert value == {"1": 1, "'x'": "x", "null": None, "[1]": [1], "true": True}[argument]


@pytest.mark.parametrize("argument", ["1", "null", "[]", "'n'"])
def test_t1_another_argument_fails_the_schema_where_there_is_one(run, argument):
    outcome = run(f"await tools.e({argument})", tools=[echo("e", input_schema=SCHEMA)])

    assert "object" in outcome.error.message
    assert outcome.calls[0].status == "error"


@pytest.mark.anyio
async def test_t1_fifty_calls_of_a_coroutine_function_overlap():
    calls = 50
    inside = 0
    everybody = anyio.Event()

    async def meet(argument):
        nonlocal inside
        inside += 1
        if inside == calls:
            everybody.set()
        await everybody.wait()
        return argument

    source = f"return await Promise.all(Array.from({{length: {calls}}}, (_, i) => tools.meet(i)))"
    with anyio.fail_after(PATIENCE_S):
        async with Pool(size=1, spares=0) as pool:
            outcome = await pool.run(source, tools=[Tool(name="meet", handler=meet)])

            assert outcome.value == list(range(calls))


@pytest.mark.anyio
async def test_t1_fifty_calls_of_a_plain_function_overlap():
    calls = 50
    everybody = threading.Barrier(calls, timeout=PATIENCE_S)

    def meet(argument):
        everybody.wait()
        return argument

    source = f"return await Promise.all(Array.from({{length: {calls}}}, (_, i) => tools.meet(i)))"
    with anyio.fail_after(PATIENCE_S):
        async with Pool(size=1, spares=0) as pool:
            outcome = await pool.run(source, tools=[Tool(name="meet", handler=meet)])

            assert outcome.value == list(range(calls))


def test_t1_answers_reach_the_calls_they_belong_to(evaluate):
    source = """
    const answers = await Promise.all(Array.from({length: 500}, (_, i) => tools.e(i)));
    return answers.every(([, n], i) => n === i);
    """

    assert evaluate(source, tools=[echo("e")]) is True


def test_t2_names_become_identifiers_and_canonical_names_still_work(evaluate):
    offered = [echo(name) for name in ("read-file", "2fast", "class", "then", "toJSON", "größe")]
    source = """
    const names = Object.keys(tools);
    const answers = [];
    for (const name of [...names, "read-file"]) answers.push((await tools[name]())[0]);
    return [names, answers];
    """

    names, answers = evaluate(source, tools=offered)

    assert names == ["read_file", "_2fast", "class", "then_", "toJSON_", "größe"]
    assert answers == ["read-file", "2fast", "class", "then", "toJSON", "größe", "read-file"]


def test_t2_of_colliding_names_the_one_that_is_an_identifier_keeps_it(evaluate):
    source = """
    const answers = {};
    for (const name of Object.keys(tools)) answers[name] = (await tools[name]())[0];
    return answers;
    """

    answers = evaluate(source, tools=[echo("a-b"), echo("a_b")])

    assert answers.pop("a_b") == "a_b"
    [(suffixed, name)] = answers.items()
    assert name == "a-b"
    assert suffixed.startswith("a_b_")
    assert len(suffixed) == len("a_b_") + 4


def test_t2_calls_are_recorded_under_the_canonical_name(run):
    outcome = run("await tools.read_file({path: 'x'})", tools=[read_file])

    assert [call.name for call in outcome.calls] == ["read-file"]


def test_t4_the_catalogue_lists_finds_and_describes_without_making_a_call(run):
    source = """
    return {
      all: ALL_TOOLS,
      found: (await searchTools("file"))[0].name,
      declared: await describeTool("read-file"),
      same: await describeTool("read_file") === await describeTool("read-file"),
      unknown: [await describeTool("nothing") === undefined,
                await describeNamespace("nothing") === undefined],
    };
    """

    outcome = run(source, tools=[add, read_file])

    assert outcome.value["all"] == [
        {"name": "add", "description": "Add two numbers."},
        {"name": "read_file", "description": "Read a file."},
    ]
    assert outcome.value["found"] == "read_file"
    assert "read_file(" in outcome.value["declared"]
    assert outcome.value["same"] is True
    assert outcome.value["unknown"] == [True, True]
    assert outcome.calls == ()


@pytest.mark.parametrize("question", ["searchTools('')", "searchTools('a', {limit: 0})"])
def test_t4_a_question_that_cannot_be_answered_rejects(run, question):
    assert run(f"await {question}").error.name == "TypeError"


def test_t3_all_tools_lists_by_identifier_exactly_what_can_be_called(evaluate):
    source = """
    const results = await Promise.all(ALL_TOOLS.map(({name}) => tools[name]({n: 1})));
    return [ALL_TOOLS, Object.keys(tools).sort(), results];
    """
    offered = [echo("a-b", description="First."), echo("c")]

    listed, keys, results = evaluate(source, tools=offered)

    assert listed == [{"name": "a_b", "description": "First."}, {"name": "c", "description": ""}]
    assert keys == ["a_b", "c"]
    assert results == [["a-b", {"n": 1}], ["c", {"n": 1}]]


def test_t3_a_reused_worker_lists_and_calls_the_tools_of_the_present_run_alone(evaluate):
    source = "return [ALL_TOOLS.map(({name}) => name), typeof tools.add, typeof tools.echo]"

    assert evaluate(source, tools=[add]) == [["add"], "function", "undefined"]
    assert evaluate(source, tools=[echo("echo")]) == [["echo"], "undefined", "function"]


def test_t3_a_name_that_a_program_adds_to_the_list_becomes_no_tool(run, evaluate):
    source = "ALL_TOOLS.push({name: 'more', description: ''}); return await tools.%s({a: 1, b: 2})"

    assert run(source % "more", tools=[add]).error.name == "TypeError"
    assert evaluate(source % "add", tools=[add]) == 3


def test_t5_a_failing_tool_rejects_with_its_own_text(evaluate):
    def fail(argument):
        raise ValueError("the disk is full")

    source = """
    try { await tools.fail() } catch (e) { return [e instanceof Error, e.name, e.message] }
    """

    assert evaluate(source, tools=[Tool(name="fail", handler=fail)]) == [
        True,
        "Error",
        "the disk is full",
    ]


def test_t5_arguments_that_fail_the_schema_never_reach_the_tool(run):
    reached = []
    checked = Tool(name="checked", handler=reached.append, input_schema=SCHEMA, inline=True)

    outcome = run("await tools.checked({n: 'one'})", tools=[checked])

    assert "n" in outcome.error.message
    assert "integer" in outcome.error.message
    assert reached == []
    assert run("await tools.checked({n: 1})", tools=[checked]).is_completed
    assert reached == [{"n": 1}]


def test_t5_a_result_that_says_error_is_still_a_result(evaluate):
    bash = Tool(name="bash", handler=lambda argument: {"exit_code": 1}, output_schema={})

    assert evaluate("return (await tools.bash()).exit_code", tools=[bash]) == 1


def test_t6_an_unknown_tool_is_undefined(evaluate):
    assert evaluate("return typeof tools.nothing", tools=[add]) == "undefined"
    assert evaluate("return typeof tools.add", tools=[add]) == "function"


def test_t6_calling_an_unknown_tool_names_the_nearest_ones(run):
    error = run("await tools.ad({})", tools=[add, read_file]).error

    assert error.name == "TypeError"
    assert error.message.startswith("tools.ad is not a function. ")
    assert "tools.add" in error.message
    assert "read_file" not in error.message


def test_t6_a_program_that_catches_it_sees_the_engines_own_text(evaluate):
    source = "try { await tools.ad({}) } catch (e) { return e.message }"

    assert evaluate(source, tools=[add]) == "tools.ad is not a function"


def test_t6_tools_is_frozen_and_safe_to_await_spread_print_and_return(evaluate):
    source = """
    "use strict";
    const errors = [];
    for (const change of [() => { tools.add = 1 }, () => { delete tools.add },
                          () => { tools.more = 1 }]) {
      try { change() } catch (e) { errors.push(e.name) }
    }
    const same = await tools;
    text(tools); console.log(tools, `${tools}`);
    return [errors, same === tools, typeof ({...tools}).add];
    """

    assert evaluate(source, tools=[add]) == [["TypeError"] * 3, True, "function"]


def test_t6_returning_tools_gives_identifiers_and_signatures(evaluate):
    slow_end = "try { exit() } catch {} return tools"

    expected = {"add": "(input: { a: number; b: number }) => Promise<number>"}
    assert evaluate("return tools", tools=[add]) == expected
    assert evaluate("return await tools", tools=[add]) == expected
    assert evaluate("return tools") == {}
    assert evaluate(slow_end, tools=[add]) is ABSENT


def test_t6_functions_of_the_api_show_what_they_are_wherever_they_are_converted(run):
    source = """
    const forms = (value) => {
      text(value); text([value]); text(`${value}`); text(String(value));
      text(JSON.stringify({ value })); console.log(value);
    };
    forms(tools.add); forms(exit);
    return [tools.add, { exit }];
    """
    outcome = run(source, tools=[add])
    texts = [item.text for item in outcome.output]

    tool, api = outcome.value[0], outcome.value[1]["exit"]
    assert tool.startswith("tools.add(input)")
    assert api == "exit(): ends the program successfully"
    for form, shown in ((tool, texts[:5]), (api, texts[5:])):
        assert shown == [form, f'["{form}"]', form, form, f'{{"value":"{form}"}}']
    assert [line.text for line in outcome.console] == ["[tools.add(input)]", "[exit()]"]


@pytest.mark.parametrize(
    ("source", "advice"),
    [
        ("await add({})", "Did you mean tools.add?"),
        ("await tools?.Add({})", "Did you mean tools.add?"),
        ("const { Add } = tools; await Add({})", "Did you mean tools.add?"),
        ("await tools.read.file({})", "Did you mean tools.read__file?"),
        ("Text(1)", "Did you mean text?"),
        ("console.logg(1)", "Did you mean console.log?"),
        ("return None", "Use null or undefined."),
        ("return len([1])", "Use .length of texts and arrays, .size of a Map or Set."),
    ],
)
def test_t6_names_that_are_not_there_come_with_what_was_meant_in_the_outcome_alone(
    run, evaluate, source, advice
):
    tools = [add, Tool(name="read__file", handler=lambda argument: argument)]

    assert run(source, tools=tools).error.message.endswith(f". {advice}")
    caught = evaluate(f"try {{ {source} }} catch (e) {{ return e.message }}", tools=tools)
    assert advice not in caught


@pytest.mark.anyio
async def test_t7_a_tool_may_have_a_time_of_its_own():
    async def never(argument):
        await anyio.sleep_forever()

    source = "try { await tools.never() } catch (e) { return [e.name, e.message] }"
    slow = Tool(name="never", handler=never, timeout_s=0.05)
    with anyio.fail_after(PATIENCE_S):
        async with Pool(size=1, spares=0) as pool:
            outcome = await pool.run(source, tools=[slow])

            name, message = outcome.value
            assert name == "TimeoutError"
            assert "never" in message
            assert "0.05 s" in message


@pytest.mark.anyio
async def test_tools_see_the_context_variables_of_whoever_started_the_run():
    user: ContextVar[str] = ContextVar("user")

    def look(argument):
        return user.get("nobody")

    async def look_in_task(argument):
        return user.get("nobody")

    ways = {
        "task": Tool(name="task", handler=look_in_task),
        "thread": Tool(name="thread", handler=look),
        "inline": Tool(name="inline", handler=look, inline=True),
    }
    source = """
    const seen = {};
    for (const name of Object.keys(tools)) seen[name] = await tools[name]();
    return seen;
    """
    async with Pool(size=1, spares=0) as pool:
        user.set("ada")
        outcome = await pool.run(source, tools=ways.values())
        async with pool.start(source, tools=ways.values()) as run:
            apart = await run.outcome()

    assert outcome.value == dict.fromkeys(ways, "ada")
    assert apart.value == dict.fromkeys(ways, "ada")


def test_the_same_tools_serve_many_runs_at_once(shared_pool: BlockingPool):
    outcomes = [shared_pool.run("return tools.add({a: 1, b: 1})", tools=[add]) for _ in range(3)]

    assert [outcome.value for outcome in outcomes] == [2, 2, 2]


def test_a_tool_may_name_the_error_it_raises(evaluate):
    def fail(argument):
        raise ToolError("not yours", name="Forbidden")

    source = "try { await tools.fail() } catch (e) { return `${e}` }"

    assert evaluate(source, tools=[Tool(name="fail", handler=fail)]) == "Forbidden: not yours"
