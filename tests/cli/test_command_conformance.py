"""`codepool conformance` from outside: the table, the document, and the code it ends with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

ROWS = """
{"id": "S-1/holds", "spec": ["V"], "source": "return 1 + 1", "expect": {"value": 2}}
{"id": "S-1/does-not", "source": "return 1 + 1", "expect": {"value": 3}}
"""


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    file = tmp_path / "cases.jsonl"
    file.write_text(ROWS, encoding="utf-8")
    return file


def test_the_table_has_a_line_for_each_row_and_says_how_it_differs(codepool, rows: Path):
    done = codepool("conformance", str(rows))

    assert done.returncode == 1
    assert done.stderr == ""
    assert [line.split() for line in done.stdout.splitlines()] == [
        ["ok", "S-1/holds", "S-1", "V"],
        ["FAIL", "S-1/does-not", "S-1"],
        ["value:", "wanted", "3"],
        ["found", "2"],
        [],
        ["2", "rows,", "1", "hold,", "1", "do", "not"],
    ]


def test_json_prints_one_document(codepool, rows: Path):
    done = codepool("conformance", str(rows), "--json", "--tenant", "t")
    document = json.loads(done.stdout)

    assert done.returncode == 1
    assert document["held"] == 1
    assert document["rows"][1] == {
        "id": "S-1/does-not",
        "spec": ["S-1"],
        "ok": False,
        "differences": [{"path": "value", "wanted": "3", "found": "2"}],
    }


def test_where_every_row_holds_it_ends_with_0(codepool, rows: Path):
    rows.write_text(ROWS.replace("3", "2"), encoding="utf-8")

    assert codepool("conformance", str(rows)).returncode == 0


def test_a_file_that_holds_no_rows_is_wrong_use(codepool, rows: Path):
    rows.write_text("{}", encoding="utf-8")
    done = codepool("conformance", str(rows))

    assert done.returncode == 2
    assert done.stdout == ""
    assert "cases.jsonl:1: id: Field required" in done.stderr
