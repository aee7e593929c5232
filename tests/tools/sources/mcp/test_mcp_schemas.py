"""The result object's schema, with the server's own schema in its place."""

from __future__ import annotations

import jsonschema_rs
import pytest

from pool.tools.sources.mcp.schemas import result_schema


def accepts(output_schema, structured) -> bool:
    result = {"content": [{"type": "text", "text": ""}], "isError": False}
    if structured is not None:
        result["structuredContent"] = structured
    return jsonschema_rs.validator_for(result_schema(output_schema)).is_valid(result)


def test_without_an_output_schema_the_result_is_content_and_error():
    assert set(result_schema(None)["properties"]) == {"content", "isError"}
    assert accepts(None, None)


@pytest.mark.parametrize("place", ["$defs", "definitions"])
def test_references_to_definitions_hold(place):
    schema = {"properties": {"n": {"$ref": f"#/{place}/N"}}, place: {"N": {"type": "integer"}}}

    assert accepts(schema, {"n": 1})
    assert not accepts(schema, {"n": "1"})


def test_references_to_the_root_and_into_it_hold():
    schema = {
        "type": "object",
        "properties": {
            "n": {"type": "integer"},
            "same": {"$ref": "#/properties/n"},
            "child": {"$ref": "#"},
        },
    }

    assert accepts(schema, {"n": 1, "same": 2, "child": {"child": {"n": 3}}})
    assert not accepts(schema, {"same": "2"})
    assert not accepts(schema, {"child": {"child": {"n": "3"}}})


def test_a_property_called_ref_is_no_reference():
    schema = {"properties": {"$ref": {"type": "integer"}}}

    assert accepts(schema, {"$ref": 1})
    assert not accepts(schema, {"$ref": "1"})


def test_an_error_needs_no_structured_content():
    assert accepts({"type": "object"}, None)
