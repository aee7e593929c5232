"""What a program is and what it finds around itself: spec S-1 to S-4, S-6, S-8, S-9."""

from __future__ import annotations

import pytest

from pool import ABSENT, BlockingPool, Limits, Reason, TextItem

API = {
    "tools": "object",
    "ALL_TOOLS": "object",
    "searchTools": "function",
    "describeTool": "function",
    "describeNamespace": "function",
    "text": "function",
    "image": "function",
    "console": "object",
    "exit": "function",
    "store": "function",
    "load": "function",
    "models": "object",
}

ABSENT_GLOBALS = (
    *("Deno", "process", "Buffer", "require", "module", "global", "navigator", "location"),
    *("fetch", "WebSocket", "EventSource", "XMLHttpRequest", "Request", "caches", "localStorage"),
    *("setTimeout", "setInterval", "setImmediate", "AbortSignal", "queueMicrotask", "performance"),
    *("Worker", "MessageChannel", "BroadcastChannel", "SharedArrayBuffer", "Atomics"),
    *("WebAssembly", "WeakRef", "FinalizationRegistry", "crypto", "URL", "TextEncoder"),
    *("structuredClone", "atob", "btoa", "gc", "apps", "vault"),
)

SILENT = "without output, returned value, store write or call"


def test_s1_await_and_return_work_at_the_top_level(evaluate):
    assert evaluate("const two = await Promise.resolve(2); return two + 1") == 3


def test_s1_a_program_is_sloppy_unless_it_says_otherwise(evaluate, run):
    assert evaluate("sloppy = 1; return sloppy") == 1

    strict = run('"use strict"; sloppy = 1')

    assert (strict.error.name, strict.error.line) == ("ReferenceError", 1)


LEAVE_TRACES = """
globalThis.left = 1;
Array.prototype.left = 1;
Object.prototype.left = 1;
JSON.stringify = () => "forged";
text = null;
return 1
"""

SEE_TRACES = """
text(JSON.stringify([typeof left, typeof [].left, typeof ({}).left, typeof text]));
"""


@pytest.mark.parametrize("tenant", ["s1", None], ids=["reused worker", "single use"])
def test_s1_nothing_a_run_did_to_its_globals_is_seen_by_the_next(
    shared_pool: BlockingPool, tenant: str | None
):
    reuses_before = shared_pool.stats().reuses
    assert shared_pool.run(LEAVE_TRACES, tenant=tenant).value == 1

    seen = shared_pool.run(SEE_TRACES, tenant=tenant)

    assert seen.output == (TextItem('["undefined","undefined","undefined","function"]'),)
    assert shared_pool.stats().reuses - reuses_before == (0 if tenant is None else 1)


def test_s2_the_options_line_sets_the_time(run, evaluate):
    evaluate("return 'a worker is there'")

    outcome = run('// @options: {"timeout_ms": 200}\nwhile (true) {}')

    assert outcome.reason is Reason.TIMEOUT
    assert "200 ms" in outcome.error.message


def test_s2_the_options_line_sets_the_budget_of_the_rendered_text(run):
    outcome = run('// @options: {"max_output_tokens": 0}\ntext("x")')

    assert outcome.max_output_tokens == 0
    assert outcome.output == (TextItem("x"),)


def test_s2_options_that_cannot_be_kept_are_refused_with_line_and_fix(run):
    outcome = run('\n// @options: {"timeout": 5}\nreturn 1')

    assert outcome.error.name == "SourceError"
    assert outcome.error.line == 2


def test_s2_a_program_of_comments_completes(run):
    outcome = run("// nothing to do")

    assert outcome.is_completed
    assert outcome.value is ABSENT
    assert SILENT in outcome.notes[0]


def test_s3_only_the_language_and_the_api_are_there(evaluate):
    source = f"return {list(ABSENT_GLOBALS)}.filter(name => name in globalThis)"

    assert evaluate(source) == []
    assert evaluate("return ['Math', 'text'].filter(name => name in globalThis)") == [
        "Math",
        "text",
    ]


def test_s3_using_an_absent_global_brings_one_sentence_of_advice(run):
    error = run("await fetch('https://example.com')").error

    assert error.name == "ReferenceError"
    assert error.message.startswith("fetch is not defined. ")
    assert "tool" in error.message


@pytest.mark.parametrize(
    "source",
    [
        "return eval('1')",
        "return Function('return 1')()",
        "return (async () => {}).constructor('return 1')()",
        "return (function* () {}).constructor('yield 1')()",
    ],
)
def test_s3_text_never_becomes_code(run, source):
    assert run(source).error.name == "EvalError"


@pytest.mark.parametrize("specifier", ["node:fs", "node:process", "data:text/javascript,1", "./x"])
def test_s3_nothing_can_be_imported(run, specifier):
    outcome = run(f"await import({specifier!r})")

    assert outcome.reason is Reason.ERROR
    assert outcome.error.name == "TypeError"


def test_s3_time_zone_and_locale_are_the_same_everywhere(evaluate):
    source = """
    const { timeZone, locale } = Intl.DateTimeFormat().resolvedOptions();
    return [timeZone, locale, new Date(0).getTimezoneOffset(), (1234.5).toLocaleString()];
    """

    assert evaluate(source) == ["UTC", "en-US", 0, "1,234.5"]


def test_s4_every_global_of_the_api_is_there(evaluate):
    source = f"return Object.fromEntries({list(API)}.map(name => [name, typeof globalThis[name]]))"

    assert evaluate(source) == API


def test_s4_models_reject_with_a_clear_error(run):
    outcome = run("await models.classify({provider: 'a', id: 'b'}, {state: {}, questions: {}})")

    assert outcome.error.message == "models.classify: no models are configured in this pool"


@pytest.mark.parametrize("source", ["const a = 1;", "undefined", "exit()", "if (false) text('x')"])
def test_s6_a_silent_program_completes_with_a_note(run, source):
    outcome = run(source)

    assert outcome.is_completed
    assert [note for note in outcome.notes if SILENT in note]


@pytest.mark.parametrize(
    "source", ["text('x')", "return 0", "return null", "console.log()", "store('k', 1)"]
)
def test_s6_a_program_that_did_something_gets_no_such_note(run, source):
    assert run(source).notes == ()


@pytest.mark.parametrize(
    "source",
    [
        "await new Promise(() => {})",
        "text('x'); await Promise.race([])",
        "return new Promise(() => {})",
        "for await (const x of (async function* () { await new Promise(() => {}) })()) {}",
    ],
)
def test_s8_waiting_for_what_can_never_settle_fails_at_once(run, source):
    outcome = run(source)

    assert outcome.reason is Reason.ERROR
    assert "can never settle" in outcome.error.message
    assert outcome.timings.total_ms < 60_000


EXITS = {
    "try": "try { exit() } catch { text('no') } finally { text('no') }",
    "catch": "try { throw 1 } catch { exit() } text('no')",
    "finally": "try { throw 1 } finally { exit() } text('no')",
    "nested function": "(() => [1].map(() => exit()))(); text('no')",
    "async function": "await (async () => { await null; exit() })(); text('no')",
    "getter": "({ get x() { exit() } }).x; text('no')",
    "toJSON": "try { text({ toJSON() { exit() } }) } catch {} text('no')",
    "toJSON of the value": "return { toJSON() { exit() } }",
    "argument of a call": "await tools.none?.({ get x() { exit() } }); exit(); text('no')",
    "endless loop": "try { exit() } catch { while (true) {} }",
    "constructor": "new (class { constructor() { exit() } })(); text('no')",
    "promise job": "Promise.resolve().then(exit); await new Promise(() => {})",
    "used up stack": """
        store("k", { a: 1 });
        function dive() { try { dive() } catch { exit() } }
        try { dive() } catch {}
        while (true) {}
    """,
}


@pytest.mark.parametrize("source", EXITS.values(), ids=EXITS.keys())
def test_s9_exit_ends_the_program_successfully_from_anywhere(run, source):
    outcome = run(f"text('yes'); {source}")

    assert outcome.is_completed, outcome.error
    assert outcome.output == (TextItem("yes"),)
    assert outcome.value is ABSENT


# Each makes the stripper ask for the end of the stack, which a confined process has to be told.
STATEMENTS_WITH_TYPES = {
    "if": "const x: number = 1; if (x) { return 7 }",
    "loop": "for (const x of [7] as number[]) { while (x) { switch (x) { default: return x } } }",
    "operators": "const x: number = 1 + 2 * 3; return x ? x : -x || null",
    "lone function": "async function main(x?: number): Promise<number> { if (!x) { return 7 } }",
}


@pytest.mark.parametrize("source", STATEMENTS_WITH_TYPES.values(), ids=STATEMENTS_WITH_TYPES.keys())
def test_s5_typescript_runs_under_confinement(run, source):
    outcome = run(source)

    assert outcome.value == 7, outcome.error
    assert outcome.notes[0] == "TypeScript syntax was removed."


def test_s5_notes_are_kept_when_the_program_is_stopped(run):
    outcome = run("async () => { while (true) {} }", limits=Limits(timeout_ms=300))

    assert outcome.reason is Reason.TIMEOUT
    assert outcome.notes == ("The function around the program was called.",)
