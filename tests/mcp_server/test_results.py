"""Outcomes as results: what is large is left out, and named."""

from __future__ import annotations

import json

from pool.mcp_server.results import MAX_DOCUMENT_CHARS, document, of_value
from pool.program.outcome import Outcome, Status, TextItem


def test_a_document_within_its_limit_is_whole():
    outcome = Outcome(status=Status.COMPLETED, output=(TextItem("short"),), value=1)

    assert document(outcome) == outcome.to_dict()


def test_a_document_above_its_limit_leaves_out_what_is_large_and_says_so():
    outcome = Outcome(
        status=Status.COMPLETED, output=(TextItem("x" * MAX_DOCUMENT_CHARS),), value=1
    )

    shortened = document(outcome)

    assert shortened["left_out"] == ["output"]
    assert shortened["value"] == 1
    assert len(json.dumps(shortened)) <= MAX_DOCUMENT_CHARS


def test_the_value_of_a_direct_tool_is_text_and_an_object_is_structured_too():
    result = of_value({"bytes": b"\x00", "number": float("nan")})

    assert result.structured_content == {"bytes": {"$bytes": "AA=="}, "number": "NaN"}
    assert json.loads(result.content[0].text) == result.structured_content
    assert of_value("as it is").content[0].text == "as it is"
