from __future__ import annotations

import pytest

from pool.tools.arguments import ArgumentCheck
from pool.tools.sources.openapi import schemas as schemas_module
from pool.tools.sources.openapi.document import Document, Inexpressible
from pool.tools.sources.openapi.schemas import SchemaWriter

NODE = {"type": "object", "properties": {"next": {"$ref": "#/components/schemas/Node"}}}


def writer(version="3.0.3", hidden="readOnly", **schemas):
    return SchemaWriter(
        Document({"openapi": version, "components": {"schemas": schemas}}), hidden=hidden
    )


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "string", "nullable": True}, {"type": ["string", "null"]}),
        (
            {"type": "string", "nullable": True, "enum": ["a"]},
            {"type": ["string", "null"], "enum": ["a", None]},
        ),
        (
            {"nullable": True, "allOf": [{"type": "object"}]},
            {"anyOf": [{"allOf": [{"type": "object"}]}, {"type": "null"}]},
        ),
        ({"minimum": 1, "exclusiveMinimum": True}, {"exclusiveMinimum": 1}),
        ({"maximum": 1, "exclusiveMaximum": False}, {"maximum": 1}),
        (
            {"discriminator": {"propertyName": "t"}, "xml": {}, "x-a": 1, "type": "object"},
            {"type": "object"},
        ),
        (
            {"type": "object", "properties": {"xml": {"type": "string"}}},
            {"type": "object", "properties": {"xml": {"type": "string"}}},
        ),
    ],
)
def test_what_only_3_0_has_becomes_json_schema(schema, expected):
    assert writer().of(schema) == expected


def test_3_1_keeps_what_it_says():
    schema = {"type": ["string", "null"], "exclusiveMinimum": 1, "const": "a"}

    assert writer("3.1.0").of(schema) == schema


def test_recursion_stays_recursion_and_compiles():
    written = writer(Node=NODE)
    schema = {**written.of({"$ref": "#/components/schemas/Node"}), "$defs": written.definitions}
    check = ArgumentCheck.of(schema)

    assert check.fault({"next": {"next": {}}}) is None
    assert check.fault({"next": {"next": 3}}) is not None


def test_two_schemas_with_one_last_word_stay_two():
    written = writer(
        A={"type": "string", "properties": {"x": {"type": "null"}}}, x={"type": "number"}
    )
    first = written.of({"$ref": "#/components/schemas/x"})
    second = written.of({"$ref": "#/components/schemas/A/properties/x"})

    assert first != second
    assert written.definitions == {"x": {"type": "number"}, "x_": {"type": "null"}}


def test_read_only_properties_are_no_input_and_write_only_ones_no_output():
    schema = {
        "properties": {"id": {"readOnly": True}, "password": {"writeOnly": True}, "name": {}},
        "required": ["id", "password", "name"],
    }

    assert writer().of(schema)["required"] == ["password", "name"]
    assert sorted(writer(hidden="writeOnly").of(schema)["properties"]) == ["id", "name"]


def test_in_3_0_a_reference_has_no_siblings_and_in_3_1_it_has():
    schema = {"$ref": "#/components/schemas/Node", "description": "first"}

    assert writer(Node=NODE).of(schema) == {"$ref": "#/$defs/Node"}
    assert writer("3.1.0", Node=NODE).of(schema) == {"$ref": "#/$defs/Node", "description": "first"}


def test_beyond_the_limit_a_reference_allows_anything(monkeypatch):
    monkeypatch.setattr(schemas_module, "MAX_SUBSCHEMAS", 3)
    chain = {f"S{n}": {"items": {"$ref": f"#/components/schemas/S{n + 1}"}} for n in range(9)}
    written = writer(**chain, S9={})
    written.of({"$ref": "#/components/schemas/S0"})

    assert written.definitions["S0"] == {"items": {"$ref": "#/$defs/S1"}}
    assert {} in [part.get("items") for part in written.definitions.values()]


@pytest.mark.parametrize("schema", [{"$ref": "a.yaml"}, {"$dynamicRef": "#a"}, {"items": 3}])
def test_what_no_schema_of_its_own_can_say_is_inexpressible(schema):
    with pytest.raises(Inexpressible):
        writer("3.1.0").of(schema)
