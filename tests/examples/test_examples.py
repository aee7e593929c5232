"""The examples do what they say, on this repository, with real workers."""

from __future__ import annotations

import runpy
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from pool import Outcome, Pool, Tool
from pool.cli.tool_files import load_tools
from pool.tools.workspace import workspace_tools

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"


@pytest.fixture
async def pool() -> AsyncIterator[Pool]:
    async with Pool(size=1, spares=0) as pool:
        yield pool


async def run(pool: Pool, name: str, tools: list[Tool]) -> Outcome:
    outcome = await pool.run((EXAMPLES / name).read_text(encoding="utf-8"), tools=tools)
    assert outcome.is_completed, outcome.error
    return outcome


def shown(outcome: Outcome) -> str:
    return "\n".join(item.to_dict()["text"] for item in outcome.output)


async def test_the_repository_report_reads_every_source_in_this_repository(pool: Pool) -> None:
    outcome = await run(pool, "repository_report.js", workspace_tools(ROOT))

    report = shown(outcome)
    assert "## By language" in report
    assert "Python" in report
    # It holds a NUL, which is its attack.
    assert report.rpartition("## Not read: 1\n\n")[2].splitlines() == [
        "tests/security/programs/UNI-008.js: is a binary file"
    ]
    assert sum(call.name == "read" for call in outcome.calls) > 50


async def test_the_log_analysis_finds_the_incident_and_what_came_before(pool: Pool) -> None:
    outcome = await run(pool, "log_analysis.js", workspace_tools(ROOT))

    findings = shown(outcome)
    assert "Incident from 2026-03-14T09:13 to 2026-03-14T09:17" in findings
    assert "db.pool_size is 5, was 40" in findings
    assert [line.text for line in outcome.console] == ["393 entries understood"]


async def test_code_and_documents_of_this_repository_agree(pool: Pool) -> None:
    outcome = await run(pool, "consistency_check.js", workspace_tools(ROOT))

    assert outcome.value["problems"] == []
    assert all(checked > 5 for checked in outcome.value["checked"].values())


async def test_the_consistency_check_finds_a_wrong_number_and_a_dead_link(
    pool: Pool, tmp_path: Path
) -> None:
    for name in ("docs/protocol.md", "pool/wire/messages.py", "pool/errors.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        content = (ROOT / name).read_text(encoding="utf-8")
        (tmp_path / name).write_text(content.replace("| 6 | CALL", "| 5 | CALL"), encoding="utf-8")
    (tmp_path / "README.md").write_text("See [this](docs/gone.md).", encoding="utf-8")

    outcome = await run(pool, "consistency_check.js", workspace_tools(tmp_path))

    problems = outcome.value["problems"]
    assert "docs/protocol.md: CALL is 5, pool/wire/messages.py has 6" in problems
    assert "README.md: names docs/gone.md, which does not exist" in problems


async def test_the_sales_report_finds_what_comes_back(pool: Pool) -> None:
    outcome = await run(pool, "sales_report.js", load_tools(EXAMPLES / "tools_sqlite.py"))

    found = [(row["product"], row["region"]) for row in outcome.value["suspicious"]]
    assert found == [("chair", "east")]


def test_the_data_of_the_examples_can_be_made_again(tmp_path: Path) -> None:
    runpy.run_path(str(EXAMPLES / "data" / "generate.py"))["write"](tmp_path)

    for name in ("orders.log", "orders.csv"):
        assert (tmp_path / name).read_bytes() == (EXAMPLES / "data" / name).read_bytes()


def test_the_library_example_runs(capfd: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(EXAMPLES / "library.py"), run_name="__main__")

    printed = capfd.readouterr().out
    assert "completed value: 21.5" in printed
    assert "shown: Oslo: 4 °C" in printed
    assert "failed Timeout (TextItem(text='before'),)" in printed


def test_the_notebook_example_runs(capfd: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(EXAMPLES / "notebook.py"))

    assert "'north'" in capfd.readouterr().out
