"""How programs end, and how what they threw is told."""

from __future__ import annotations

import pytest
from driver import Ended, Failed, Worker


def run(worker: Worker, source: str, **options: object) -> Ended:
    ended = worker.run(source, **options)  # type: ignore[arg-type]
    worker.expect("READY")
    return ended


@pytest.mark.parametrize(
    "source",
    [
        "exit()",
        "try { exit() } catch {} text('later')",
        "try { exit() } finally { text('later') }",
        "try { await (async () => exit())() } catch {} text('later'); return 1",
        "text({ toJSON() { exit() } })",
        "text({ get x() { exit() } })",
        "return { toJSON() { exit() } }",
        "await tools.echo({ get x() { exit() } })",
        "throw Object.defineProperty(new Error(), 'message', { get: exit })",
        "(function dive() { try { dive() } finally { exit() } })()",
        "[1].map(exit)",
    ],
)
def test_exit_ends_the_program_successfully_wherever_it_is_called(
    shared: Worker, source: str
) -> None:
    ended = run(shared, source, tools={"echo": lambda _: None})

    if "message" in source:
        assert ended.how == "threw"
        return
    assert ended.kinds == ["END"]
    assert (ended.how, ended.has_value) == ("exited", False)


def test_after_the_end_every_function_of_the_api_throws(shared: Worker) -> None:
    source = """
        const late = async () => {
            await null; await null;
            const acts = [
                () => text(1), () => console.log(1), () => store("a", 1), () => load("a"), exit,
                () => tools.echo(), () => searchTools("x"), () => image("data:,"),
            ];
            for (const act of acts) try { await act(); text("counted") } catch {}
        };
        late();
        return "value";
    """
    ended = run(shared, source, tools={"echo": lambda _: None})

    assert ended.kinds == ["END"]
    assert ended.value == "value"


@pytest.mark.parametrize(
    "source",
    [
        "await new Promise(() => {})",
        "await tools.echo(); await new Promise(() => {})",
        "await { then() {} }",
        "await Promise.race([])",
    ],
)
def test_a_program_that_nothing_can_wake_is_stalled(shared: Worker, source: str) -> None:
    ended = run(shared, source, tools={"echo": lambda _: None})

    assert (ended.how, ended.error["name"]) == ("stalled", "Error")
    assert "can never settle" in ended.error["message"]


def test_unhandled_rejections_become_notes_and_handled_ones_do_not(shared: Worker) -> None:
    source = """
        Promise.reject(new TypeError("forgotten"));
        Promise.reject("text");
        const late = Promise.reject(new Error("caught later"));
        await tools.echo();
        late.catch(() => {});
        return 1;
    """
    ended = run(shared, source, tools={"echo": lambda _: None})

    assert ended.notes == [
        "Unhandled rejection: TypeError: forgotten (program.js:2:24)",
        "Unhandled rejection: text",
    ]


def test_notes_are_bounded(shared: Worker) -> None:
    ended = run(shared, "for (let i = 0; i < 500; i++) Promise.reject('x'.repeat(9999)); return 1")

    assert len(ended.notes) == 11
    assert ended.notes[-1] == "490 more unhandled rejections are not shown"
    assert sum(map(len, ended.notes)) < 10_000


def test_an_error_is_told_with_position_cause_and_members(shared: Worker) -> None:
    source = """function inner() {
  throw new AggregateError([new TypeError("first"), "second"], "several", { cause: { code: 7 } });
}
inner();"""
    error = run(shared, source).error

    assert (error["name"], error["message"]) == ("AggregateError", "several")
    assert (error["line"], error["column"]) == (2, 9)
    assert error["stack"] == "    at inner (program.js:2:9)\n    at program.js:4:1"
    assert error["cause"]["message"] == "{ code: 7 }"
    assert [(member["name"], member["message"]) for member in error["errors"]] == [
        ("TypeError", "first"),
        ("Thrown", "second"),
    ]


@pytest.mark.parametrize(
    ("thrown", "message"),
    [
        ("'text'", "text"),
        ("null", "null"),
        ("undefined", "undefined"),
        ("-0", "-0"),
        ("Symbol('s')", "Symbol(s)"),
        ("{ code: 5 }", "{ code: 5 }"),
        ("Object.create(null)", "{}"),
        ("new Proxy({}, { getPrototypeOf() { throw 1 } })", "[Unreadable]"),
        ("() => 1", "[Function (anonymous)]"),
    ],
)
def test_whatever_is_thrown_is_told_as_it_is(shared: Worker, thrown: str, message: str) -> None:
    ended = run(shared, f"throw {thrown}")

    assert (ended.error["name"], ended.error["message"]) == ("Thrown", message)


@pytest.mark.parametrize(
    "thrown",
    [
        "class extends Error { get name() { throw 1 } get message() { throw 2 } }",
        "class extends Error { name = {}; message = Symbol() }",
        "class extends Error { get stack() { throw 3 } get cause() { throw 4 } }",
        "class extends Error { get message() { return this.message } }",
        "class extends Error { errors = new Proxy([], { get() { throw 5 } }) }",
    ],
)
def test_an_error_whose_properties_throw_is_still_an_error(shared: Worker, thrown: str) -> None:
    ended = run(shared, f"throw new ({thrown})()")

    assert (ended.how, ended.error["name"]) == ("threw", "Error")


def test_an_error_that_calls_itself_a_time_out_keeps_its_name_and_no_more(shared: Worker) -> None:
    ended = run(shared, "const e = new Error('m'); e.name = 'Timeout'; throw e")

    assert (ended.how, ended.error["name"]) == ("threw", "Timeout")


def test_long_and_deep_errors_are_cut_and_the_cut_is_said(shared: Worker) -> None:
    source = """
        let cause = "bottom";
        for (let i = 0; i < 20; i++) cause = new Error(`level ${i}`, { cause });
        const members = Array.from({ length: 50 }, (_, i) => new Error(`member ${i}`));
        throw new AggregateError(members, "x".repeat(50000), { cause });
    """
    error = run(shared, source).error
    causes = []
    below = error["cause"]
    while below is not None:
        causes.append(below["message"])
        below = below["cause"]

    assert len(error["message"]) == 16_384
    assert error["message"].endswith("... (50000 characters, cut here)")
    assert causes == [f"level {level}" for level in range(19, 11, -1)] + [
        "further errors are not shown"
    ]
    assert len(error["errors"]) == 33
    assert error["errors"][-1]["message"] == "18 more errors are not shown"


def test_an_error_that_is_its_own_cause_is_told_once(shared: Worker) -> None:
    error = run(shared, "const e = new Error('m'); e.cause = e; throw e").error

    assert error["cause"]["message"] == "this error is shown above already"


def test_an_end_fits_its_frame_even_where_hardly_any_output_is_allowed(shared: Worker) -> None:
    source = """
        for (let i = 0; i < 99; i++) Promise.reject("\\u20ac".repeat(9999));
        const euros = "\\u20ac".repeat(9999);
        const make = (n) => n === 0 ? new Error(euros) : new AggregateError(
            Array.from({ length: 40 }, () => make(n - 1)), euros, { cause: make(n - 1) });
        throw make(2);
    """
    ended = run(shared, source, output_chars=10)

    size = sum(len(str(field).encode()) for field in ended.end.fields)
    assert ended.how == "threw"
    assert size < 64 * 1024


@pytest.mark.parametrize(
    ("length", "arrived"),
    [
        ("1.5", [1]),
        ("'2'", [1, 2]),
        ("NaN", []),
        ("{ valueOf: () => 1 }", [1]),
        ("-37", "a message has at most 1048576 elements"),
        ("Infinity", []),
    ],
)
def test_an_array_that_lies_about_its_length_leaves_every_frame_whole(
    shared: Worker, length: str, arrived: object
) -> None:
    lying = f"new Proxy([1, 2], {{ get: (a, key) => key === 'length' ? {length} : a[key] }})"
    source = f"const lying = {lying}; const sent = await tools.echo(lying); return [sent, lying]"

    ended = run(shared, source, tools={"echo": lambda argument: argument})

    if isinstance(arrived, str):
        assert (ended.how, ended.error["message"]) == ("threw", arrived)
        return
    assert ended.value == [arrived, arrived]


def test_stack_overflow_is_an_error_of_the_program(shared: Worker) -> None:
    ended = run(shared, "const dive = () => dive() + 1; dive()")

    assert (ended.how, ended.error["name"]) == ("threw", "RangeError")
    assert ended.error["message"] == "Maximum call stack size exceeded"
    assert ended.error["line"] == 1


def test_a_failing_tool_points_to_the_call(shared: Worker) -> None:
    def denied(_: object) -> None:
        raise Failed("not allowed here", "Denied")

    ended = run(shared, "\n  await tools.guarded({})", tools={"guarded": denied})

    assert (ended.error["name"], ended.error["message"]) == ("Denied", "not allowed here")
    assert (ended.error["line"], ended.error["column"]) == (2, 15)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("return { a: [1, () => 1] }", "return.a[1]: a function cannot leave the program"),
        ("return Promise.reject", "return: a function cannot leave the program"),
        (
            "return [Promise.resolve()]",
            "return[0]: a Promise is not a value; did you forget await?",
        ),
        (
            "return { a: { get b() { throw undefined } } }",
            "return.a.b: reading it failed with undefined",
        ),
    ],
)
def test_a_value_that_cannot_be_returned_names_the_path(
    shared: Worker, source: str, message: str
) -> None:
    ended = run(shared, source)

    assert (ended.how, ended.error["name"]) == ("threw", "TypeError")
    assert ended.error["message"] == message


@pytest.mark.parametrize(
    ("source", "present", "value"),
    [
        ("", False, None),
        ("return undefined", False, None),
        ("return null", True, None),
        ("return [NaN === NaN, 1/3, 'é', new Uint8Array([1])]", True, [False, 1 / 3, "é", b"\x01"]),
    ],
)
def test_a_program_returns_a_value_or_none(
    shared: Worker, source: str, present: bool, value: object
) -> None:
    ended = run(shared, source)

    assert ended.how == "completed"
    assert ended.has_value is present
    if present:
        assert ended.value == value
