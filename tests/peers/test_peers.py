"""Differences of a peer find their reasons; rows it cannot be asked are named. Starts no peer.

`sample.jsonl` holds lines that `pi_codemode.mjs` wrote.
"""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Final

import pytest
from intended import Explained, Intended, explain, idle, read_intended
from pi_codemode import beyond
from side_by_side import INTENDED, ROWS

from pool.conformance.expect import unmet
from pool.conformance.patterns import Difference
from pool.conformance.rows import Row, read_rows

SAMPLE: Final = Path(__file__).with_name("sample.jsonl")
DOCUMENT: Final = Path(__file__).parents[2] / "docs" / "peers.md"

LINE: Final = Difference("error.line", "1", "null")
NOTES: Final = Difference("notes", "[]", "nothing")


def intended(*rows: str, paths: tuple[str, ...] = ()) -> Intended:
    return Intended(kind="errors", reason="It is so.", rows=rows, paths=paths)


def test_recorded_outcomes_differ_for_the_reasons_in_the_file():
    rows = {row.id: row for row in read_rows(ROWS)}
    answers = map(json.loads, SAMPLE.read_text(encoding="utf-8").splitlines())
    found = {
        answer["id"]: tuple(unmet(rows[answer["id"]].expect, answer["outcome"]))
        for answer in answers
    }

    kinds = defaultdict(set)
    for each in explain(found, read_intended(INTENDED)):
        kinds[each.id].add(each.reason and each.reason.kind)

    assert kinds == {
        "S-2/unknown-field": {"source"},
        "S-3/eval-by-direct-eval": {"language"},
        "S-5/fence-with-prose": {"outcome", "source"},
        "S-7/open-calls-of-a-failing-program": {"outcome"},
        "S-10/cause": {"outcome"},
        "S-10/position-excerpt-and-stack": {"outcome", "errors"},
        "T-5/missing-property": {"tools"},
        "V/lone-surrogate-returned": {"values"},
        "O-2/type-that-does-not-fit-the-bytes": {"output, store"},
        "B-1/deleting-a-missing-key": {"output, store"},
    }
    assert found["S-1/top-level-await"] == ()


def test_every_reason_in_the_file_is_about_rows_that_the_peer_is_asked():
    found = {row.id: (NOTES,) for row in read_rows(ROWS) if beyond(row) is None}
    reasons = read_intended(INTENDED)
    everywhere = [each.model_copy(update={"paths": ()}) for each in reasons]

    # One at a time, or the first reason would have the differences of all.
    assert [each for each in everywhere if any(idle(explain(found, [each]), [each]))] == []


def test_a_difference_belongs_to_the_first_reason_that_covers_it():
    particular, general = intended("S-2/*", paths=("error",)), intended("*")

    explained = explain({"S-2/bad-json": (LINE, NOTES)}, [particular, general])

    assert list(explained) == [
        Explained("S-2/bad-json", LINE, particular, "S-2/*"),
        Explained("S-2/bad-json", NOTES, general, "*"),
    ]


@pytest.mark.parametrize("reason", [intended("S-3/*"), intended("S-2/*", paths=("error.lin",))])
def test_a_difference_that_no_reason_covers_has_none(reason: Intended):
    assert list(explain({"S-2/bad-json": (LINE,)}, [reason])) == [Explained("S-2/bad-json", LINE)]


def test_a_reason_is_idle_for_the_rows_that_no_longer_need_it():
    reason = intended("S-2/bad-json", "S-2/deep-json")

    explained = explain({"S-2/bad-json": (LINE,), "S-2/deep-json": ()}, [reason])

    assert list(idle(explained, [reason])) == [(reason, "S-2/deep-json")]


@pytest.mark.parametrize(
    ("path", "is_covered"),
    [("calls", True), ("calls[0]", True), ("calls.name", True), ("callsign", False)],
)
def test_a_path_covers_itself_and_what_is_below_it(path: str, is_covered: bool):
    assert intended("*", paths=("calls",)).covers(path) is is_covered


def test_every_reason_in_the_file_is_in_the_document():
    document = DOCUMENT.read_text(encoding="utf-8")

    assert [each.reason for each in read_intended(INTENDED) if each.reason not in document] == []


@pytest.mark.parametrize(
    ("text", "word"),
    [("[[intended]]\nkind = 1", "kind"), ("[[intended]]\nrow = []", "row"), ("x = ", "Invalid")],
)
def test_a_reason_of_the_wrong_form_is_refused(tmp_path: Path, text: str, word: str):
    (tmp_path / "intended.toml").write_text(text, encoding="utf-8")

    with pytest.raises(ValueError, match=word):
        read_intended(tmp_path / "intended.toml")


@pytest.mark.parametrize(
    ("fields", "word"),
    [
        ({"limits": {"calls": 3}}, "limit"),
        ({"tools": [{"name": "t", "timeout_ms": 5}]}, "time limit of one tool"),
        ({"tools": [{"name": "t", "replies": [{"ok": [{"$bytes": "AA=="}]}]}]}, "bytes"),
        ({"source": "await searchTools('x')"}, "searchTools"),
        ({"source": "console.table([])"}, "console"),
    ],
)
def test_a_row_that_the_peer_cannot_be_asked_is_named_by_what_it_uses(fields, word: str):
    assert word in (beyond(row(**fields)) or "")


def test_a_row_that_the_peer_can_be_asked_uses_nothing_beyond_it():
    tools = [{"name": "t", "replies": [{"ok": {"$repeat": ["ab", 2]}}]}]

    assert beyond(row("console.log(1)", tools=tools, limits={"timeout_ms": 5})) is None


def row(source: str = "return 1", **fields) -> Row:
    return Row.model_validate_json(
        json.dumps({"id": "S-1/x", "source": source, "expect": {}, **fields})
    )
