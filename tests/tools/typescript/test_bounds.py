"""However hostile a schema is, there is text, soon, and not much of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pool.tools.declarations import type_text
from pool.tools.typescript.shapes import MAX_NESTING, MAX_SUBSCHEMAS

KEYWORDS = st.sampled_from(
    "type properties required items prefixItems additionalItems enum const anyOf oneOf allOf $ref "
    "$dynamicRef $defs $id $anchor additionalProperties patternProperties propertyNames if then "
    "else dependentSchemas nullable description default minItems maxItems object array string # "
    "#/$defs/a #/properties/a a http://[".split()
)
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | KEYWORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYWORDS, inner, max_size=5),
    max_leaves=30,
)


@given(ANYTHING)
def test_whatever_the_schema_there_is_text_that_utf_8_can_carry(schema):
    assert type_text(schema).encode().startswith((b"type", b"/**"))


def doubling(levels):
    """Each level refers to the next one twice."""
    definitions = {
        f"L{level}": {"properties": {"l": {"$ref": f"#/$defs/L{level + 1}"}} | {"r": {}}}
        | {"anyOf": [{"$ref": f"#/$defs/L{level + 1}"}, {"$ref": f"#/$defs/L{level + 1}"}]}
        for level in range(levels)
    }
    return {"$ref": "#/$defs/L0", "$defs": definitions}


def nested(levels):
    schema = {"type": "string"}
    for _ in range(levels):
        schema = {"type": "object", "properties": {"k": schema}}
    return schema


def wide(number):
    return {"type": "object", "properties": {f"p{n}": {"type": "string"} for n in range(number)}}


def test_text_grows_with_the_schema_and_not_with_its_paths():
    assert len(type_text(doubling(100))) < 20_000


def test_nesting_ends():
    text = type_text(nested(5_000))

    assert text.count("k?:") == MAX_NESTING
    assert "unknown" in text
    assert "unknown" not in type_text(nested(MAX_NESTING - 1)).replace("[key: string]: unknown", "")


def test_subschemas_are_counted():
    assert type_text(wide(MAX_SUBSCHEMAS * 2)).count(": string;") == MAX_SUBSCHEMAS - 1


def test_a_chain_of_references_is_longer_than_the_stack():
    definitions = {
        f"d{n}": wide(1) | {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}]} for n in range(999)
    }

    assert "type D998" in type_text({"$ref": "#/$defs/d0", "$defs": definitions})


DOCUMENTED = {
    "type": "object",
    "properties": {f"p{n}": {"type": "string", "description": "word " * 40} for n in range(600)},
    "required": ["p7"],
}


@pytest.mark.parametrize("max_chars", [100_000, 20_000, 5_000, 1_000])
def test_a_text_with_a_limit_keeps_what_a_call_must_have(max_chars):
    text = type_text(DOCUMENTED, max_chars=max_chars)

    assert len(text) <= max_chars
    assert "  p7: string;\n" in text


def test_a_text_with_a_limit_says_how_many_properties_it_leaves_out():
    text = type_text(DOCUMENTED, max_chars=1_000)
    shown = text.count("?: string;")

    assert f"// and {599 - shown} more optional properties" in text


def test_what_a_call_must_have_is_there_however_short_the_limit():
    assert type_text(DOCUMENTED, max_chars=1) == (
        "type Input = {\n  p7: string;\n  // and 599 more optional properties\n"
        "  [key: string]: unknown;\n};"
    )
