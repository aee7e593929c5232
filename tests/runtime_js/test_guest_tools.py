"""Tools as a program sees them: the object, calls, the catalogue, advice."""

from __future__ import annotations

import pytest
from driver import Ended, Failed, Worker

CATALOG = [
    ("read", "read", "Reads a file."),
    ("files__list_all", "files__list-all", "Lists files."),
    ("then_", "then", ""),
]


def run(worker: Worker, source: str, **options: object) -> Ended:
    ended = worker.run(source, **options)  # type: ignore[arg-type]
    worker.expect("READY")
    return ended


def test_a_call_without_argument_sends_an_empty_object(shared: Worker) -> None:
    ended = run(
        shared,
        "return [await tools.echo(), await tools.echo(undefined), await tools.echo(null)]",
        tools={"echo": lambda value: value},
    )

    assert ended.value == [{}, {}, None]


def test_a_call_goes_out_under_the_canonical_name(shared: Worker) -> None:
    ended = run(
        shared,
        'return [await tools.files__list_all(), await tools["files__list-all"]()]',
        catalog=CATALOG,
        tools={"files__list-all": lambda _: "listed"},
    )

    assert ended.value == ["listed", "listed"]


def test_tools_can_be_awaited_spread_printed_and_returned(shared: Worker) -> None:
    source = """
        const same = await tools;
        text(tools); text(`${tools}`); text(String(tools.read));
        console.log(tools);
        return [same === tools, Object.keys({ ...tools }), Object.isFrozen(tools),
            typeof tools.nothing, typeof tools.then, typeof tools.constructor, "read" in tools,
            tools];
    """
    ended = run(shared, source, catalog=CATALOG)
    shown = {
        "read": "tools.read(input): Reads a file.",
        "files__list_all": "tools.files__list_all(input): Lists files.",
        "then_": "tools.then_(input)",
    }

    assert ended.value == [
        True,
        ["read", "files__list_all", "then_"],
        True,
        "undefined",
        "undefined",
        "undefined",
        True,
        shown,
    ]
    assert ended.texts[1:] == [
        "[tools: read, files__list_all, then_]",
        "tools.read(input): Reads a file.",
    ]
    assert "read: [tools.read(input)]" in ended.console[0]


def test_tools_cannot_be_changed(shared: Worker) -> None:
    source = """
        "use strict";
        const failures = [];
        const changes = [
            () => { tools.read = 1 }, () => { tools.more = 1 }, () => { delete tools.read },
            () => Object.setPrototypeOf(tools, {}),
        ];
        for (const change of changes) try { change() } catch (error) { failures.push(error.name) }
        return failures;
    """
    assert run(shared, source, catalog=CATALOG).value == ["TypeError"] * 4


def test_all_tools_lists_identifiers_and_descriptions(shared: Worker) -> None:
    assert run(shared, "return ALL_TOOLS", catalog=CATALOG).value == [
        {"name": identifier, "description": description} for identifier, _, description in CATALOG
    ]


def test_a_failing_tool_rejects_with_its_own_text(shared: Worker) -> None:
    def fail(_: object) -> None:
        raise Failed("it broke", "IOError")

    source = """
        try { await tools.fail() } catch (error) {
            return [error instanceof Error, error.name, error.message, Object.keys(error)];
        }
    """
    assert run(shared, source, tools={"fail": fail}).value == [True, "IOError", "it broke", []]


def test_an_argument_that_cannot_be_sent_rejects_and_takes_no_index(shared: Worker) -> None:
    source = """
        const reasons = [];
        for (const bad of [{ a: [() => 1] }, { n: NaN }, { p: tools.echo() }])
            await tools.echo(bad).catch((error) => reasons.push(`${error.name}: ${error.message}`));
        await tools.echo({ last: true });
        return reasons;
    """
    ended = run(shared, source, tools={"echo": lambda value: value})

    assert ended.value == [
        "TypeError: argument.a[0]: a function cannot leave the program",
        "TypeError: argument.n: NaN cannot be sent",
        "TypeError: argument.p: a Promise is not a value; did you forget await?",
    ]
    assert [call.fields for call in ended.of("CALL")] == [
        [0, "echo", {}],
        [1, "echo", {"last": True}],
    ]


def test_an_argument_above_its_limit_rejects_with_the_limit(shared: Worker) -> None:
    source = """
        await tools.echo("x".repeat(90));
        return await tools.echo({ text: "x".repeat(101) })
            .catch((error) => `${error.name}: ${error.message}`);
    """
    ended = run(shared, source, tools={"echo": lambda value: value}, argument_bytes=100)

    assert ended.value == "RangeError: argument is larger than 100 bytes (argument_bytes)"
    assert len(ended.of("CALL")) == 1


def test_one_call_more_than_allowed_rejects_with_the_limit(shared: Worker) -> None:
    source = """
        const settled = await Promise.allSettled([1, 2, 3].map((n) => tools.echo({ n })));
        return settled.map(({ reason, value }) => reason ? String(reason) : value.n);
    """
    ended = run(shared, source, tools={"echo": lambda value: value}, calls=2)

    assert ended.value == [1, 2, "RangeError: a run makes at most 2 calls (calls)"]


def test_calls_made_while_an_argument_is_read_go_first(shared: Worker) -> None:
    source = """
        await tools.outer({ before: 1, get inner() { tools.inner({ nested: true }); return 2 } });
    """
    ended = run(shared, source, catalog=["outer", "inner"], tools={"outer": str, "inner": str})

    assert [call.fields for call in ended.of("CALL")] == [
        [0, "inner", {"nested": True}],
        [1, "outer", {"before": 1, "inner": 2}],
    ]


def test_results_are_data_whatever_their_keys(shared: Worker) -> None:
    source = """
        const value = await tools.data();
        return [Object.keys(value), Object.getPrototypeOf(value) === Object.prototype,
            ({}).polluted === undefined, value.then, value.bytes instanceof Uint8Array, value.big,
            value];
    """
    data = {"__proto__": {"polluted": 1}, "then": "x", "toJSON": 1, "bytes": b"\x01", "big": 2**63}
    ended = run(shared, source, tools={"data": lambda _: data})

    assert ended.value == [
        list(data),
        True,
        True,
        "x",
        True,
        str(2**63),
        {**data, "big": str(2**63)},
    ]


def test_the_catalogue_answers_questions_that_are_no_calls(shared: Worker) -> None:
    answers = {"search": [{"name": "read"}], "describe": None, "namespace": {"name": "files"}}
    source = """
        return [await searchTools("files", { limit: 3, namespace: "fs" }), await searchTools("x"),
            (await describeTool("nothing")) === undefined, await describeNamespace("files")];
    """
    ended = run(shared, source, answer=lambda question, _: answers[question])

    assert ended.value == [[{"name": "read"}], [{"name": "read"}], True, {"name": "files"}]
    assert [ask.fields for ask in ended.of("ASK")] == [
        [0, "search", {"query": "files", "limit": 3, "namespace": "fs"}],
        [1, "search", {"query": "x", "limit": 8}],
        [2, "describe", {"name": "nothing"}],
        [3, "namespace", {"name": "files"}],
    ]
    assert ended.end[5] == 0


@pytest.mark.parametrize(
    "question",
    [
        "searchTools('')",
        "searchTools(' ')",
        "searchTools()",
        "searchTools('x', { limit: 0 })",
        "searchTools('x', { limit: 1.5 })",
        "searchTools('x', { limit: '3' })",
        "searchTools('x', { namespace: '' })",
        "describeTool(5)",
        "describeNamespace('')",
    ],
)
def test_a_question_that_makes_no_sense_rejects(shared: Worker, question: str) -> None:
    ended = run(shared, f"return await {question}.catch((error) => error.name)")

    assert ended.value == "TypeError"
    assert ended.of("ASK") == []


def test_models_reject_where_there_are_none(shared: Worker) -> None:
    source = """
        return [Object.keys(models), await models.classify({}).catch(String)];
    """
    assert run(shared, source).value == [
        ["getModelsOfType", "getAvailableOfType", "getModelOfType", "classify", "generateImages"],
        "Error: models.classify: no models are configured in this pool",
    ]


def test_only_the_outcome_of_calling_an_unknown_tool_has_advice(shared: Worker) -> None:
    caught = run(
        shared, "try { tools.raed() } catch (error) { return error.message }", catalog=CATALOG
    )
    thrown = run(shared, "tools.raed()", catalog=CATALOG)

    assert caught.value == "tools.raed is not a function"
    assert thrown.error["message"] == "tools.raed is not a function. Did you mean tools.read?"


@pytest.mark.parametrize("name", ["setTimeout", "fetch", "require", "process", "Buffer", "URL"])
def test_a_global_that_is_not_here_comes_with_advice(shared: Worker, name: str) -> None:
    error = run(shared, f"{name}('x')").error

    assert error["name"] == "ReferenceError"
    assert error["message"].startswith(f"{name} is not defined. ")
