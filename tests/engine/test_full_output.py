"""The file with the whole output, and the life of a run's files: spec O-2, O-5."""

from __future__ import annotations

import os
import resource
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest
from live_pools import FOREVER, PATIENCE_S, Gate

from pool import BlockingPool, Limits, Pool, Reason
from pool.program.files import PREFIX
from pool.program.full_text import full_text
from pool.program.render import render
from pool.tools.workspace import NamedFiles, workspace_tools

SMALL = Limits(max_output_tokens=10)
PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5E"
    "rkJggg=="
)
SHOW = f"image('data:image/png;base64,{PNG}');"
LONG = "text('a'.repeat(3000)); console.log('b'); return 'c'"


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where runs make their files, with nothing else in it."""
    directory = tmp_path / "temporary"
    directory.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(directory))
    return directory


def test_o5_output_above_the_budget_is_whole_in_a_file_that_the_text_names(run):
    outcome = run(LONG, limits=SMALL)

    path = Path(outcome.output_path)
    text = path.read_text("utf-8")
    assert text == full_text(outcome)
    assert f"\n{'a' * 2_000}\n{'a' * 1_000}\n==> text 2/2 <==\nc\n" in text
    assert f"; all of it: {path}\n" in render(outcome).text
    assert outcome.to_dict()["output_path"] == str(path)
    outcome.close()


def test_o5_the_file_is_private_and_goes_with_the_outcome(run, temporary):
    outcome = run(f"{SHOW} text('x'.repeat(100))", limits=SMALL)

    path = Path(outcome.output_path)
    [directory] = temporary.iterdir()
    assert sorted(directory.iterdir()) == [directory / "image-1.png", path]
    assert stat.S_IMODE(directory.stat().st_mode) == 0o700
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    outcome.close()
    assert list(temporary.iterdir()) == []


def test_o5_output_within_the_budget_makes_no_file(run, temporary):
    outcome = run("text('x'.repeat(40))", limits=SMALL)

    assert outcome.output_path is None
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize("ending", ["throw new Error('odd')", FOREVER])
def test_o5_a_failed_run_has_its_file_too(run, evaluate, ending):
    evaluate("return 'a worker is there'")

    outcome = run(
        f"text('x'.repeat(100)); {ending}", limits=Limits(max_output_tokens=10, timeout_ms=1_000)
    )

    assert not outcome.is_completed
    assert "x" * 100 in Path(outcome.output_path).read_text("utf-8")
    outcome.close()


def test_o5_a_budget_of_zero_shows_where_everything_is_and_nothing_else(run):
    outcome = run('// @options: {"max_output_tokens": 0}\ntext("hidden")')

    assert "hidden" not in render(outcome).text
    assert "hidden" in Path(outcome.output_path).read_text("utf-8")
    assert outcome.output_path in render(outcome).text
    outcome.close()


def test_o5_the_host_clamps_the_budget_a_program_asks_for(run):
    outcome = run('// @options: {"max_output_tokens": 5000}\ntext("x".repeat(50))', limits=SMALL)

    assert "Output cut: 40 of 50 characters are shown (max_output_tokens is 10)" in (
        render(outcome).text
    )
    assert outcome.notes == ("max_output_tokens was lowered from 5000 to the limit of 10.",)
    assert outcome.output_path
    outcome.close()


def test_o5_a_caller_with_a_smaller_budget_than_the_runs_is_told_that_there_is_no_file(run):
    outcome = run("text('x'.repeat(100))")

    assert "; the rest was not saved\n" in render(outcome, max_output_tokens=1).text


def test_an_output_that_cannot_be_saved_is_a_note_and_costs_nothing_else(run, temporary):
    temporary.rmdir()

    outcome = run(f"{SHOW} text('x'.repeat(100)); return 1", limits=SMALL)

    assert (outcome.value, outcome.output_path) == (1, None)
    assert outcome.notes == (
        "An image could not be saved: No such file or directory.",
        "The full output could not be saved: No such file or directory.",
    )
    assert str(temporary) not in render(outcome).text
    assert "; the rest was not saved\n" in render(outcome).text


def test_a_full_disk_is_a_note_and_leaves_nothing_behind(run, evaluate, temporary):
    evaluate("return 'a worker is there'")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4_096, hard))
    try:
        outcome = run("text('x'.repeat(10_000)); return 1", limits=SMALL)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    assert (outcome.value, outcome.output_path) == (1, None)
    assert outcome.notes == ("The full output could not be saved: File too large.",)
    outcome.close()
    assert list(temporary.iterdir()) == []


def test_o5_a_program_pages_through_the_output_of_an_earlier_one(run, tmp_path):
    named = NamedFiles()
    tools = workspace_tools(tmp_path, named=named)
    first = run("for (let n = 1; n <= 500; n++) text('line ' + n + ' \\0')", limits=SMALL)
    named.add(first.output_path)
    source = f"return tools.read({{ path: {first.output_path!r}, offset: 504, limit: 2 }})"

    page = run(source, tools=tools).value
    elsewhere = run(source, tools=workspace_tools(tmp_path, named=NamedFiles()))
    first.close()
    gone = run(source, tools=tools)

    assert page == (
        "==> text 251/500 <==\nline 251 \0\n[lines 504-505 of 1003; continue with offset 506]\n"
    )
    assert "is absolute; paths are relative to the workspace" in elsewhere.error.message
    assert "is gone: the files of a run are removed with its outcome" in gone.error.message


@pytest.mark.parametrize(
    ("argument", "said"),
    [
        ("'https://example.com/a.png'", "nothing is fetched"),
        (f"'data:image/gif;base64,{PNG}'", "declared as image/gif, but the bytes are image/png"),
        ("'data:image/svg+xml;base64,PHN2Zy8+'", "no PNG, JPEG, GIF or WebP image"),
        (f"'data:image/png;base64,{PNG[:-3]}'", "the base64 data is broken"),
        (f"{{ type: 'image', mimeType: '../../etc', data: '{PNG}' }}", "declared as another type"),
    ],
)
def test_o2_what_is_no_image_is_refused_with_a_reason_and_makes_no_file(
    run, temporary, argument, said
):
    outcome = run(f"image({argument})")

    assert outcome.error.name == "TypeError"
    assert said in outcome.error.message
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize(
    ("limits", "name"),
    [(Limits(output_items=2), "output_items"), (Limits(output_chars=200), "output_chars")],
)
def test_o2_images_count_towards_the_limits_of_the_output(run, temporary, limits, name):
    outcome = run(f"{SHOW}{SHOW} try {{ {SHOW} }} catch {{}}", limits=limits)

    assert outcome.reason is Reason.OUTPUT_TOO_LARGE
    assert name in outcome.error.message
    assert len(outcome.output) == 2
    outcome.close()
    assert list(temporary.iterdir()) == []


@pytest.mark.anyio
async def test_a_cancelled_caller_leaves_no_files(temporary):
    gate = Gate()
    with anyio.fail_after(PATIENCE_S):
        async with Pool(size=1, spares=0) as pool:
            async with anyio.create_task_group() as tasks:

                async def call():
                    await pool.run(f"{SHOW} await tools.gate()", tools=[gate.tool])

                tasks.start_soon(call)
                await gate.called.wait()
                [directory] = temporary.glob(f"{PREFIX}*")
                assert os.listdir(directory) == ["image-1.png"]
                tasks.cancel_scope.cancel()

            assert list(temporary.glob(f"{PREFIX}*")) == []


@pytest.mark.anyio
async def test_files_of_a_run_cancelled_with_its_pool_go_with_the_outcome_of_the_handle(temporary):
    gate = Gate()
    with anyio.fail_after(PATIENCE_S):
        with anyio.CancelScope() as scope:
            async with (
                Pool(size=1, spares=0) as pool,
                pool.start(f"{SHOW} await tools.gate()", tools=[gate.tool]) as run,
            ):
                await gate.called.wait()
                scope.cancel()
                await anyio.lowlevel.checkpoint()
        outcome = await run.outcome()

    assert outcome.reason is Reason.CANCELLED
    assert [str(path) for path in temporary.glob(f"{PREFIX}*/*")] == [outcome.output[0].path]
    outcome.close()
    assert list(temporary.glob(f"{PREFIX}*")) == []


def test_a_pool_removes_what_earlier_ones_left_behind_more_than_a_day_ago(temporary):
    stale, fresh = temporary / f"{PREFIX}stale", temporary / f"{PREFIX}fresh"
    for directory in (stale, fresh):
        directory.mkdir()
        (directory / "output.txt").write_text("x")
    os.utime(stale, (0, 0))

    with BlockingPool(size=1, spares=0):
        assert not stale.exists()
        assert fresh.exists()
