"""Output, its hard limits, what is kept of it, and the document: spec O-1, O-3, O-4, O-6."""

from __future__ import annotations

import json

import pytest

from pool import ABSENT, ConsoleLine, Limits, Reason, TextItem, Tool
from pool.program.render import render


def test_o1_texts_are_the_output_and_the_value_is_not(run):
    outcome = run("text('a'); text({ b: [1, 'x'] }); text(undefined); return 'value'")

    assert outcome.output == (
        TextItem("a"),
        TextItem('{"b":[1,"x"]}'),
        TextItem("undefined"),
    )
    assert outcome.value == "value"


def test_o1_console_lines_are_a_block_of_their_own(run):
    outcome = run("console.log('a', 1, { b: 2 }); console.warn('w'); console.error('e')")

    assert outcome.output == ()
    assert outcome.console == (
        ConsoleLine("log", "a 1 { b: 2 }"),
        ConsoleLine("warn", "w"),
        ConsoleLine("error", "e"),
    )


def test_o2_an_image_is_saved_until_the_outcome_is_closed(run):
    png = (
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5E"
        "rkJggg=="
    )

    outcome = run(f"image('data:image/png;base64,{png}')")

    [item] = outcome.output
    with open(item.path, "rb") as file:
        assert file.read(4) == b"\x89PNG"
    outcome.close()
    with pytest.raises(FileNotFoundError):
        open(item.path, "rb")


CAUGHT = {
    "text": "try { text('x'.repeat(50)) } catch {}",
    "console": "try { console.log('x'.repeat(50)) } catch {}",
    "sum": "try { for (;;) text('x') } catch {}",
    "value": "return 'x'.repeat(50)",
    "value beside text": "text('x'.repeat(30)); return 'x'.repeat(30)",
}


@pytest.mark.parametrize("source", CAUGHT.values(), ids=CAUGHT.keys())
def test_o3_too_many_characters_fail_the_run_even_when_the_error_is_caught(run, source):
    outcome = run(f"{source}; return 1", limits=Limits(output_chars=49))

    assert outcome.reason is Reason.OUTPUT_TOO_LARGE
    assert outcome.value is ABSENT
    assert "49" in outcome.error.message


def test_o3_characters_up_to_the_limit_pass(run):
    outcome = run(
        "text('x'.repeat(24)); console.log('🎈'); return 'abc'", limits=Limits(output_chars=31)
    )

    assert outcome.is_completed


@pytest.mark.parametrize(
    "source",
    [
        "try { for (;;) text('') } catch {} return 1",
        "try { for (;;) console.log() } catch {} return 1",
        "for (let i = 0; i < 6; i++) { try { text(i); console.log(i) } catch {} }",
    ],
)
def test_o3_too_many_items_fail_the_run_even_when_the_error_is_caught(run, source):
    outcome = run(source, limits=Limits(output_items=10))

    assert outcome.reason is Reason.OUTPUT_TOO_LARGE
    assert len(outcome.output) + len(outcome.console) == 10
    assert "10" in outcome.error.message


def test_o3_the_limits_are_the_ones_of_the_specification():
    assert Limits().output_chars == 16_777_216
    assert Limits().output_items == 100_000


def test_o3_as_much_output_as_is_allowed_arrives_whole(run):
    outcome = run("for (let i = 0; i < 16; i++) text(String(i % 10).repeat(1_048_576))")

    assert outcome.is_completed
    assert [len(item.text) for item in outcome.output] == [1_048_576] * 16
    assert run("for (let i = 0; i < 17; i++) text('x'.repeat(1_048_576))").reason is (
        Reason.OUTPUT_TOO_LARGE
    )


def test_o4_output_made_before_a_time_out_is_kept(run, evaluate):
    evaluate("return 'a worker is there'")

    outcome = run(
        "text('a'); console.log('b'); await tools.t(); while (true) {}",
        tools=[Tool(name="t", handler=lambda argument: None, inline=True)],
        limits=Limits(timeout_ms=1_000),
    )

    assert outcome.reason is Reason.TIMEOUT
    assert outcome.output == (TextItem("a"),)
    assert outcome.console == (ConsoleLine("log", "b"),)
    shown = render(outcome).text
    assert shown.startswith("Script failed\nWall time ")
    assert "Calls made before, which were not undone:\n0 t: ok" in shown


@pytest.mark.parametrize("ending", ["throw new Error('x')", "await new Promise(() => {})"])
def test_o4_output_made_before_a_failure_is_kept(run, ending):
    assert run(f"text('a'); {ending}").output == (TextItem("a"),)


def test_o4_output_of_a_flood_is_kept_up_to_the_time_out(run, evaluate):
    evaluate("return 'a worker is there'")

    outcome = run(
        "for (let i = 0; i < 20_000; i++) text(i); while (true) {}",
        limits=Limits(timeout_ms=1_500),
    )

    assert outcome.reason is Reason.TIMEOUT
    texts = [item.text for item in outcome.output]
    assert texts == [str(n) for n in range(20_000)]


KEYS = {
    *("status", "reason", "value", "output", "console", "error", "calls", "store", "notes"),
    *("usage", "output_path", "timings", "peak_memory_bytes"),
}
ERROR_KEYS = {"name", "message", "line", "column", "excerpt", "stack", "cause", "errors"}


def test_o6_the_document_has_exactly_the_agreed_keys(run):
    tools = [Tool(name="t", handler=lambda argument: 1, inline=True)]
    document = run(
        "text('a'); console.log('b'); store('k', [1]); await tools.t(); return 1", tools=tools
    ).to_dict()

    assert document.keys() == KEYS
    assert document["output"] == [{"type": "text", "text": "a"}]
    assert document["console"] == [{"level": "log", "text": "b"}]
    assert document["store"] == {"set": {"k": [1]}, "delete": []}
    [call] = document["calls"]
    assert call.keys() == {"index", "name", "status", "duration_ms"}
    assert document["timings"].keys() == {"queue_ms", "start_ms", "active_ms", "total_ms"}
    assert document["peak_memory_bytes"] > 0


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("throw new Error('x', { cause: 1 })", "Error"),
        ("text('too much')", "OutputTooLarge"),
        ("let a = ;", "Error"),
        ("", "Error"),
    ],
)
def test_o6_the_document_of_a_failure_has_them_too_but_no_value(run, source, reason):
    document = run(source, limits=Limits(output_chars=4)).to_dict()

    assert document.keys() == KEYS - {"value"}
    assert (document["status"], document["reason"]) == ("failed", reason)
    assert document["error"].keys() == ERROR_KEYS


@pytest.mark.parametrize(
    "source",
    [
        "return [new Uint8Array(3), NaN, -0, { a: null }]",
        "throw new AggregateError([1, new Error('x', { cause: 'y' })])",
        "text('\\ud800'); console.log('\\udfff'); return '\\ud83c'",
    ],
)
def test_o6_every_document_is_strict_json(run, source):
    document = run(source).to_dict()

    assert json.loads(json.dumps(document, allow_nan=False)) == document
    json.dumps(document, ensure_ascii=False).encode()


def test_o6_timings_add_up(run):
    timings = run("return 1").timings

    parts = timings.queue_ms + timings.start_ms + timings.active_ms
    assert 0 < parts <= timings.total_ms
