"""The corpus is whole, and its judge can say no."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from corpus import PROGRAMS, Expected, Program, load_programs, scenarios

from pool import Outcome, ProgramError, Reason, Status, TextItem

ALL = load_programs()

DONE = Outcome(Status.COMPLETED, value="SAFE 1", output=(TextItem("shown"),))
CAUSE = ProgramError("Error", "deep inside")
FAILED = Outcome(
    Status.FAILED, Reason.ERROR, error=ProgramError("TypeError", "no such thing", cause=CAUSE)
)


def program(expected: Expected, *, forbid_output: tuple[str, ...] = ()) -> Program:
    return Program(
        id="X",
        kind="",
        file="",
        source=b"",
        expected=(expected,),
        forbid_output=forbid_output,
        options={},
        note="",
        inspired_by="",
    )


def test_every_file_has_a_row():
    assert {each.name for each in PROGRAMS.glob("*.js")} == {each.file for each in ALL.values()}


def test_every_program_is_part_of_one_scenario():
    fired = [each.id for scenario in scenarios(ALL) for each in scenario]

    assert sorted(fired) == sorted(ALL)


def test_no_row_accepts_more_than_two_outcomes():
    assert [each.id for each in ALL.values() if len(each.expected) > 2] == []


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ({"status": "ok"}, {"status": "failed"}),
        ({"value": "SAFE 1"}, {"value": "SAFE 2"}),
        ({"value_prefix": "SAFE"}, {"value_prefix": "1"}),
        ({"exited": False}, {"exited": True}),
    ],
    ids=str,
)
def test_a_completed_run_is_judged_by_each_field(right: dict[str, Any], wrong: dict[str, Any]):
    base = Expected(status="ok")

    assert program(replace(base, **right)).faults(DONE) == []
    assert program(replace(base, **wrong)).faults(DONE) != []


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ({"reason": "Error"}, {"reason": "Timeout"}),
        ({"error_contains": "TypeError: no"}, {"error_contains": "RangeError"}),
    ],
    ids=str,
)
def test_a_failed_run_is_judged_by_each_field(right: dict[str, Any], wrong: dict[str, Any]):
    base = Expected(status="failed")

    assert program(replace(base, **right)).faults(FAILED) == []
    assert program(replace(base, **wrong)).faults(FAILED) != []


def test_true_is_not_one():
    outcome = replace(DONE, value=1)

    assert not Expected(status="ok", value=True).matches(outcome)


@pytest.mark.parametrize(
    ("word", "outcome"),
    [("SAFE", DONE), ("shown", DONE), ("TypeError", FAILED), ("such", FAILED), ("deep", FAILED)],
)
def test_a_forbidden_text_is_found_wherever_a_program_writes(word: str, outcome: Outcome):
    expected = Expected(status="ok" if outcome.is_completed else "failed")

    assert program(expected, forbid_output=(word,)).faults(outcome) == [f"shows {word!r}"]
