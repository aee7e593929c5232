"""Reading a conformance file: what a row may say, and how a wrong one is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from pool import UsageError
from pool.conformance.rows import read_rows

GOOD = '{"id": "S-1/sum", "source": "return 2", "expect": {"value": 2}}'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "cases.jsonl"


def test_rows_are_read_in_order_and_blank_lines_are_skipped(file: Path):
    file.write_text(f"{GOOD}\n\n{GOOD.replace('sum', 'other')}\n", encoding="utf-8")

    assert [row.id for row in read_rows(file)] == ["S-1/sum", "S-1/other"]


def test_the_promises_of_a_row_begin_with_the_one_in_its_id(file: Path):
    file.write_text(GOOD.replace('"source"', '"spec": ["V", "S-6"], "source"'), encoding="utf-8")

    assert read_rows(file)[0].promises == ("S-1", "V", "S-6")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("{", ["cases.jsonl:1", "JSON"]),
        (GOOD.replace('"value"', '"valeu"'), ["expect.valeu"]),
        (GOOD.replace("S-1/sum", "sum"), ["id"]),
        (GOOD.replace('"value": 2', '"value": {"$match": "x"}'), ["expect.value", "$match"]),
        (GOOD.replace('"value": 2', '"status": "failed"'), ["expect", "reason"]),
        (GOOD.replace('"value": 2', '"reason": "Boom"'), ["expect.reason"]),
        (GOOD.replace('"source"', '"limits": {"time": 1}, "source"'), ["limits", "time"]),
        (GOOD.replace('"source"', '"limits": {"calls": 0}, "source"'), ["limits", "calls"]),
        (
            GOOD.replace('"source"', '"tools": [{"name": "t", "replies": [{}]}], "source"'),
            ["tools.0.replies.0", "exactly one of"],
        ),
        (f"{GOOD}\n{GOOD}", ["2 rows are called S-1/sum"]),
        ("", ["no row"]),
    ],
)
def test_what_is_no_row_is_refused_with_its_place_and_the_fault(file: Path, line, words):
    file.write_text(line, encoding="utf-8")

    with pytest.raises(UsageError) as refused:
        read_rows(file)

    assert [word for word in words if word not in str(refused.value)] == []


def test_a_file_that_is_not_there_is_refused(file: Path):
    with pytest.raises(UsageError, match=r"cannot read .*cases\.jsonl: No such file"):
        read_rows(file)
