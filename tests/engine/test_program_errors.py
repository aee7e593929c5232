"""How a failing program is reported: spec S-10."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pool import Outcome, Reason, Tool, ToolError

ROOT = str(Path(__file__).resolve().parents[2])

# What would show that something of the host or of the runtime is in sight.
FOREIGN = ("file://", "node:", "codepool:", "runtime_js", "site-packages", ROOT, "realm.js", ".py")


async def break_down(argument):
    raise ToolError("out of order", name="Broken")


TOOLS = [Tool(name="broken", handler=break_down)]


def foreign_words(outcome: Outcome) -> list[str]:
    document = json.dumps(outcome.to_dict())
    return [word for word in FOREIGN if word in document]


def chain(error) -> list[str]:
    messages = []
    while error is not None:
        messages.append(error.message)
        error = error.cause
    return messages


def test_s10_the_position_is_the_place_in_the_callers_own_source(run):
    source = "\n".join(
        [
            "#!/usr/bin/env node",
            '// @options: {"timeout_ms": 30000}',
            "const answer = 42;",
            "function inner() {",
            '  throw new RangeError("too far");',
            "}",
            "inner();",
        ]
    )

    error = run(source).error

    assert (error.name, error.message, error.line, error.column) == (
        "RangeError",
        "too far",
        5,
        9,
    )
    assert error.excerpt == '  throw new RangeError("too far");\n        ^'
    assert error.stack == "    at inner (program.js:5:9)\n    at program.js:7:1"


def test_s10_positions_of_a_fenced_program_count_from_the_text_that_was_given(run):
    error = run("Here you are:\n```js\nlet a;\nnull.x\n```\n").error

    assert (error.line, error.column) == (4, 6)
    assert error.excerpt == "null.x\n     ^"


WAYS_TO_FAIL = {
    "first line": "throw new Error('x')",
    "callback": "[1].forEach(() => { throw new Error('x') })",
    "built-in": "JSON.parse('{')",
    "regex": "new RegExp('(')",
    "stack overflow": "(function f() { f() })()",
    "stack overflow in the api": "(function f() { f(); text('x') })()",
    "tool": "await tools.broken()",
    "argument": "await tools.broken({ f() {} })",
    "text": "text({ get x() { throw new Error('x') } })",
    "value": "return { get x() { throw new Error('x') } }",
    "store": "store('k', () => {})",
    "search": "await searchTools('')",
    "image": "image('nothing')",
    "unknown tool": "await tools.brokn()",
    "promise": "await Promise.reject(new Error('x'))",
    "any": "await Promise.any([tools.broken(), tools.broken()])",
    "eval": "eval('1')",
    "import": "await import('fs')",
    "own stack": "const e = new Error('x'); text(e.stack); console.log(e); throw e",
    "captured": "const o = {}; Error.captureStackTrace(o); text(o.stack); throw o",
    "caller": "const e = new Error('x', { cause: new Error('y') }); throw e",
    "syntax": "let = ;",
}


@pytest.mark.parametrize("source", WAYS_TO_FAIL.values(), ids=WAYS_TO_FAIL.keys())
def test_s10_no_frame_or_path_of_the_host_is_anywhere_in_an_outcome(run, source):
    outcome = run(source, tools=TOOLS)

    assert outcome.reason is Reason.ERROR
    assert foreign_words(outcome) == []


def test_s10_an_error_of_a_tool_points_at_its_call(run):
    error = run("text('first');\n  await tools.broken({})", tools=TOOLS).error

    assert (error.name, error.message) == ("Broken", "out of order")
    assert (error.line, error.column) == (2, 15)


def test_s10_causes_are_kept(run):
    error = run(
        "try { null.x } catch (cause) { throw new Error('outer', { cause }) }",
    ).error

    assert (error.name, error.message) == ("Error", "outer")
    assert (error.cause.name, error.cause.line, error.cause.column) == ("TypeError", 1, 12)
    assert error.cause.cause is None


def test_s10_members_of_an_aggregate_are_kept(run):
    error = run("await Promise.any([1, 2].map(n => Promise.reject(new Error(`no ${n}`))))").error

    assert error.name == "AggregateError"
    assert [member.message for member in error.errors] == ["no 1", "no 2"]


def test_s10_long_chains_aggregates_and_messages_are_cut_and_say_so(run):
    nested = "let e; for (let i = 0; i < 20; i++) e = new Error(i, {cause: e}); throw e"
    levels = chain(run(nested).error)
    aggregate = run("throw new AggregateError(Array.from({length: 40}, (_, i) => i))").error
    message = run("throw new Error('x'.repeat(20_000))").error.message
    excerpt = run(f"null.x; // {'y' * 2_000}").error.excerpt

    assert len(levels) == 1 + 8
    assert "causes are not shown" in levels[-1]
    assert len(aggregate.errors) == 32
    assert "8 more errors are not shown" in aggregate.message
    assert len(message) == 16_384
    assert "20000 characters, cut here" in message
    assert max(map(len, excerpt.split("\n"))) <= 400


def test_s10_causes_that_go_round_in_a_circle_end(run):
    error = run("const e = new Error('x'); e.cause = e; throw e").error

    assert error.cause.name == "Circular"


ODD = {
    "'text'": "text",
    "''": "",
    "null": "null",
    "undefined": "undefined",
    "0": "0",
    "10n": "10n",
    "Symbol('s')": "Symbol(s)",
    "{ a: 1 }": "{ a: 1 }",
    "[1, 2]": "[ 1, 2 ]",
    "new Proxy({}, { get() { throw 1 } })": "{}",
}


@pytest.mark.parametrize(("thrown", "message"), ODD.items(), ids=ODD.keys())
def test_s10_what_is_no_error_is_reported_as_it_is(run, thrown, message):
    outcome = run(f"throw {thrown}")

    assert outcome.reason is Reason.ERROR
    assert (outcome.error.name, outcome.error.message) == ("Thrown", message)


@pytest.mark.parametrize(
    "source",
    [
        "throw Object.defineProperty(new Error('x'), 'message', { get() { throw 1 } })",
        "throw Object.defineProperty(new Error('x'), 'stack', { get() { throw 1 } })",
        "const e = new Error('x'); e.message = Symbol(); throw e",
        "class Odd extends Error { get name() { throw 1 } } throw new Odd('x')",
        "throw Object.setPrototypeOf(new Error('x'), null)",
        "throw Object.freeze(new Error('x'))",
        "throw new (class extends Error { constructor() { super('x'); delete this.stack } })",
        "throw function f() {}",
        "throw new Proxy(new Error('x'), {})",
        "throw Promise.reject(1)",
        "throw { then() {} }",
    ],
)
def test_s10_throwing_something_odd_is_still_an_error_of_the_program(run, source):
    outcome = run(source)

    assert outcome.reason is Reason.ERROR
    assert outcome.error.name not in {"ProtocolError", "WorkerCrashed"}


@pytest.mark.parametrize("name", [reason.value for reason in Reason])
def test_s10_an_error_that_only_looks_like_a_limit_stays_an_error(run, name):
    outcome = run(f"const e = new Error('x'); e.name = {name!r}; throw e")

    assert outcome.reason is Reason.ERROR
    assert outcome.error.name == name


def test_s10_a_program_cannot_write_its_own_position(run):
    error = run(
        "const e = new Error('x');\ne.stack = 'Error: x\\n    at program.js:99:99'; throw e"
    ).error

    assert error.line != 99


@pytest.mark.parametrize("line", ["99", "NaN", "-1", "2.5", "'99'", "{}"])
def test_s10_a_program_cannot_make_up_call_sites(run, line):
    outcome = run(f"""
        const site = {{
            getFileName: () => "program.js", getLineNumber: () => {line}, getColumnNumber: () => 1,
            getFunctionName: () => "made_up", isAsync: () => false, isConstructor: () => false,
        }};
        const e = new Error("x");
        e.stack;
        Error.prepareStackTrace(e, [site]);
        throw e;
    """)

    assert (outcome.error.name, outcome.error.message) == ("Error", "x")
    assert "made_up" not in outcome.error.stack
    assert outcome.error.line in (6, None)
