"""Sources that never start: spec S-11."""

from __future__ import annotations

import pytest

from pool import BlockingPool, Limits, Reason, Status

SEEN_BY_THE_HOST = {
    "empty": "",
    "blank": " \n\t",
    "options only": '// @options: {"timeout_ms": 5}',
    "unknown option": '// @options: {"time": 5}\nreturn 1',
    "bad options": "// @options: {\nreturn 1",
    "late options": 'return 1\n// @options: {"timeout_ms": 5}\nreturn 2',
    "empty fence": "```js\n```",
    "json object": '{"code": "return 1"}',
    "not utf-8": b"return '\xff'",
}

SEEN_BY_THE_COMPILER = {
    "token": "let a = ;",
    "unfinished": "if (true) {",
    "breakout": "}); (async () => {",
    "deep": "(" * 100_000 + ")" * 100_000,
    "deep without brackets": "const x: a = " + "a => " * 10_000 + "1",
    "twice": "let a; let a;",
    "strict": '"use strict"; with ({}) {}',
    "import": "import fs from 'node:fs'",
}


@pytest.mark.parametrize("source", SEEN_BY_THE_HOST.values(), ids=SEEN_BY_THE_HOST.keys())
def test_s11_what_the_host_refuses_takes_no_worker(shared_pool: BlockingPool, source):
    runs_before = shared_pool.stats().runs

    outcome = shared_pool.run(source)

    assert (outcome.status, outcome.reason) == (Status.FAILED, Reason.ERROR)
    assert outcome.error.name == "SourceError"
    assert shared_pool.stats().runs == runs_before


def test_s11_a_source_that_is_too_long_takes_no_worker_and_names_both_sizes(
    shared_pool: BlockingPool,
):
    runs_before = shared_pool.stats().runs

    outcome = shared_pool.run("return 12", limits=Limits(source_bytes=8))

    assert outcome.error.name == "SourceError"
    assert "9 bytes" in outcome.error.message
    assert "8" in outcome.error.message
    assert shared_pool.stats().runs == runs_before
    assert shared_pool.run("return 1", limits=Limits(source_bytes=8)).value == 1


@pytest.mark.parametrize("source", SEEN_BY_THE_COMPILER.values(), ids=SEEN_BY_THE_COMPILER.keys())
def test_s11_what_the_compiler_refuses_is_a_syntax_error_before_anything_ran(run, source):
    outcome = run(source)

    assert (outcome.status, outcome.reason) == (Status.FAILED, Reason.ERROR)
    assert outcome.error.name == "SyntaxError"
    assert outcome.output == ()


def test_s11_a_syntax_error_has_line_column_and_excerpt(run):
    error = run("text('never');\nlet a = ;").error

    assert (error.line, error.column) == (2, 9)
    assert error.excerpt == "let a = ;\n        ^"


def test_s11_a_refused_program_leaves_its_worker_to_the_tenant_as_unused(
    shared_pool: BlockingPool,
):
    shared_pool.run("return 1", tenant="refused")
    before = shared_pool.stats()

    for _ in range(3):
        shared_pool.run("let a = ;", tenant="refused")
    after = shared_pool.run("return 1", tenant="refused")

    assert after.is_completed
    # Not the boots: a successor of an earlier test's worker may come up meanwhile.
    assert shared_pool.stats().retired == before.retired
    assert shared_pool.stats().reuses == before.reuses + 4


def test_s11_only_the_tenant_itself_gets_a_worker_back_that_refused_its_program(
    shared_pool: BlockingPool,
):
    shared_pool.run("let a = ;", tenant="one")
    reuses_before = shared_pool.stats().reuses

    assert shared_pool.run("return 1", tenant="two").value == 1
    assert shared_pool.stats().reuses == reuses_before
