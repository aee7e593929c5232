from __future__ import annotations

import json
import math

import pytest

from pool.program.outcome import (
    ABSENT,
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
    Timings,
    to_json,
)

FIELDS = [
    "status",
    "reason",
    "output",
    "console",
    "error",
    "calls",
    "store",
    "notes",
    "usage",
    "output_path",
    "timings",
    "peak_memory_bytes",
]


def test_the_document_of_a_completed_run_has_every_field() -> None:
    outcome = Outcome(
        Status.COMPLETED,
        value=[1],
        output=(TextItem("a"), ImageItem("image/png", "/tmp/x.png")),
        console=(ConsoleLine("warn", "c"),),
        calls=(CallRecord(0, "read", CallStatus.OK, 1.23456),),
        store=StoreChanges({"k": 1}, ("gone",)),
        notes=("n",),
        usage={"tokens": 5},
        output_path="/tmp/full.txt",
        timings=Timings(1.00049, 2, 3, 6),
        peak_memory_bytes=7,
    )

    assert outcome.to_dict() == {
        "status": "completed",
        "reason": None,
        "value": [1],
        "output": [
            {"type": "text", "text": "a"},
            {"type": "image", "mimeType": "image/png", "path": "/tmp/x.png"},
        ],
        "console": [{"level": "warn", "text": "c"}],
        "error": None,
        "calls": [{"index": 0, "name": "read", "status": "ok", "duration_ms": 1.235}],
        "store": {"set": {"k": 1}, "delete": ["gone"]},
        "notes": ["n"],
        "usage": {"tokens": 5},
        "output_path": "/tmp/full.txt",
        "timings": {"queue_ms": 1.0, "start_ms": 2, "active_ms": 3, "total_ms": 6},
        "peak_memory_bytes": 7,
    }


def test_an_absent_value_is_left_out_and_null_is_not() -> None:
    assert list(Outcome(Status.COMPLETED).to_dict()) == FIELDS
    assert Outcome(Status.COMPLETED, value=None).to_dict()["value"] is None
    assert not ABSENT


def test_errors_nest_in_the_document() -> None:
    inner = ProgramError("RangeError", "in", 1, 2, "x\n ^", "    at program.js:1:2")
    error = ProgramError("AggregateError", "all", cause=inner, errors=(inner,))

    document = Outcome(Status.FAILED, Reason.ERROR, error=error).to_dict()

    shown = {
        "name": "RangeError",
        "message": "in",
        "line": 1,
        "column": 2,
        "excerpt": "x\n ^",
        "stack": "    at program.js:1:2",
        "cause": None,
        "errors": [],
    }
    assert document["reason"] == "Error"
    assert document["error"]["cause"] == shown
    assert document["error"]["errors"] == [shown]


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (b"\x00\xff", {"$bytes": "AP8="}),
        (math.nan, "NaN"),
        (math.inf, "Infinity"),
        (-math.inf, "-Infinity"),
        (1.5, 1.5),
        ([b"", {"a": math.nan}], [{"$bytes": ""}, {"a": "NaN"}]),
        (None, None),
    ],
)
def test_values_become_json_with_tagged_forms(value: object, shown: object) -> None:
    assert to_json(value) == shown
    json.dumps(to_json(value), allow_nan=False)
