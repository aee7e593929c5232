"""Outcomes held against expectations: what a row may leave out, and what it may not."""

from __future__ import annotations

import pytest

from pool import (
    CallRecord,
    CallStatus,
    ConsoleLine,
    ImageItem,
    Outcome,
    ProgramError,
    Reason,
    Status,
    StoreChanges,
    TextItem,
)
from pool.conformance.expect import unmet
from pool.conformance.rows import Expected

FAILED = Outcome(
    status=Status.FAILED,
    reason=Reason.ERROR,
    error=ProgramError(
        "AggregateError",
        "both",
        line=3,
        cause=ProgramError("Error", "why"),
        errors=(ProgramError("Error", "one"), ProgramError("TypeError", "two")),
    ),
)


def paths(expected: str, outcome: Outcome) -> list[str]:
    expectation = Expected.model_validate_json(expected)
    return [each.path for each in unmet(expectation, outcome.to_dict())]


def test_a_row_that_names_nothing_expects_a_completed_run_and_nothing_else():
    assert paths("{}", Outcome(status=Status.COMPLETED)) == []


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("value", {"value": None}),
        ("output", {"output": (TextItem("x"),)}),
        ("console", {"console": (ConsoleLine("log", "x"),)}),
        ("calls", {"calls": (CallRecord(0, "t", CallStatus.OK, 1.0),)}),
        ("store.set", {"store": StoreChanges(set={"k": 1})}),
        ("store.delete", {"store": StoreChanges(delete=("k",))}),
        ("notes", {"notes": ("x",)}),
    ],
)
def test_what_a_row_does_not_name_must_not_be_there(path: str, field):
    assert paths("{}", Outcome(status=Status.COMPLETED, **field)) == [path]


def test_items_lines_and_calls_have_a_short_form():
    outcome = Outcome(
        status=Status.COMPLETED,
        output=(TextItem("a"), ImageItem("image/png", "/tmp/1.png")),
        console=(ConsoleLine("warn", "b"),),
        calls=(
            CallRecord(0, "t", CallStatus.OK, 1.0),
            CallRecord(1, "u", CallStatus.CANCELLED, 1.0),
        ),
    )
    expected = """{"output": ["a", {"image": "image/png"}], "console": ["b"],
                   "calls": ["t", {"cancelled": "u"}]}"""

    assert paths(expected, outcome) == []


def test_of_an_error_only_the_named_fields_count_also_further_down():
    expected = """{"status": "failed", "reason": "Error", "error": {"name": "AggregateError",
                   "cause": {"message": "why"},
                   "errors": [{"message": "one"}, {"name": "Error"}]}}"""

    assert paths(expected, FAILED) == ["error.errors[1].name"]


def test_an_error_that_is_not_there_or_not_expected_differs():
    expected = '{"status": "failed", "reason": "Error", "error": {"name": "Error"}}'

    assert paths("{}", FAILED) == ["status", "reason", "error"]
    assert paths(expected, Outcome(status=Status.COMPLETED)) == ["status", "reason", "error"]
