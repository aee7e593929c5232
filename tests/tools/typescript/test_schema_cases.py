"""What TypeScript's own compiler says of the types that schemas become.

Each case has values that the type must accept and values that it must reject, and patterns that
its text must contain or must not.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from pool.tools.declarations import declaration, type_text

HERE = Path(__file__).parent
NODE_MODULES = HERE.parents[2] / ".venv" / "npm" / "node_modules"
COMPILER_TIMEOUT_S = 120

CASES = [
    json.loads(line)
    for line in (HERE / "schema_cases.jsonl").read_text(encoding="utf-8").splitlines()
]
IDS = [case["id"] for case in CASES]


def compiled(rows: list[Mapping[str, Any]]) -> dict[str, list[str]]:
    """The faults of each row, by its id."""
    answer = subprocess.run(
        ["node", str(HERE / "check.mjs"), str(NODE_MODULES)],
        input="\n".join(map(json.dumps, rows)),
        capture_output=True,
        text=True,
        timeout=COMPILER_TIMEOUT_S,
        check=True,
    )
    verdicts = map(json.loads, answer.stdout.splitlines())
    return {verdict["id"]: verdict["faults"] for verdict in verdicts}


@pytest.fixture(scope="module")
def verdicts() -> dict[str, list[str]]:
    return compiled(
        [
            {**case, "code": type_text(case["schema"]), "type": "Input"}
            | {"schema": None, "contain": None, "absent": None}
            for case in CASES
        ]
    )


def test_there_are_cases_enough() -> None:
    assert len(CASES) >= 60


@pytest.mark.timeout(COMPILER_TIMEOUT_S)
@pytest.mark.parametrize("id", IDS)
def test_m3_the_type_accepts_and_rejects_what_the_schema_does(
    id: str, verdicts: dict[str, list[str]]
) -> None:
    assert verdicts[id] == []


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_the_text_tells_what_no_type_says(case: dict[str, Any]) -> None:
    text = type_text(case["schema"])

    assert [pattern for pattern in case["contain"] if not re.search(pattern, text)] == []
    assert [pattern for pattern in case["absent"] if re.search(pattern, text)] == []


@pytest.mark.timeout(COMPILER_TIMEOUT_S)
def test_the_compiler_is_asked_in_earnest() -> None:
    rows = [
        {"id": "broken", "code": "type Input = {", "type": "Input"},
        {"id": "narrow", "code": "type Input = string;", "type": "Input", "accept": [1]},
        {"id": "wide", "code": "type Input = unknown;", "type": "Input", "reject": [1]},
    ]

    assert [bool(faults) for faults in compiled(rows).values()] == [True, True, True]


@pytest.mark.timeout(COMPILER_TIMEOUT_S)
def test_whole_declarations_compile_with_schemas_on_both_sides() -> None:
    rows = [
        {
            "id": case["id"],
            "code": declaration("t", input_schema=case["schema"], output_schema=case["schema"]),
            "type": "unknown",
        }
        for case in CASES
        if isinstance(case["schema"], dict)
    ]

    assert {id: faults for id, faults in compiled(rows).items() if faults} == {}
