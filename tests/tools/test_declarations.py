from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pool.tools.declarations import declaration, signature


def parameter(schema):
    """How a schema is rendered as the type of one required property."""
    text = declaration(
        "t", input_schema={"type": "object", "properties": {"p": schema}, "required": ["p"]}
    )
    return text.partition("    p: ")[2].partition(";\n  }): ")[0]


def test_a_whole_declaration():
    text = declaration(
        "search",
        description="Finds notes.\n\nEnds a comment */ early.",
        input_schema={
            "type": "object",
            "properties": {
                "query": {"type": "string", "description": "Words to look for"},
                "limit": {"type": "integer", "minimum": 1, "default": 8},
                "within": {"$ref": "#/$defs/folder"},
            },
            "required": ["query"],
            "$defs": {
                "folder": {
                    "type": "object",
                    "properties": {
                        "name": {"type": "string"},
                        "inside": {"$ref": "#/$defs/folder"},
                    },
                }
            },
        },
        output_schema={"type": "array", "items": {"type": ["string", "null"]}},
    )

    assert (
        text
        == """\
type Folder = {
  name?: string;
  inside?: Folder;
};
declare const tools: {
  /**
   * Finds notes.
   *
   * Ends a comment *\\/ early.
   */
  search(input: {
    /** Words to look for */
    query: string;
    /**
     * @default 8
     * @minimum 1
     */
    limit?: number;
    within?: Folder;
  }): Promise<(string | null)[]>;
};"""
    )


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "string"}, "string"),
        ({"type": "integer"}, "number"),
        ({"type": "boolean"}, "boolean"),
        ({"type": "null"}, "null"),
        ({"type": ["string", "null"]}, "string | null"),
        ({"type": "string", "nullable": True}, "string | null"),
        ({"enum": ["a|b", 1, None, True]}, '"a|b" | 1 | null | true'),
        ({"const": 'say "x"'}, '"say \\"x\\""'),
        ({"enum": ["line\u2028end"]}, '"line\\u2028end"'),
        ({"type": "array"}, "unknown[]"),
        ({"type": "array", "items": {"enum": ["a", "b"]}}, '("a" | "b")[]'),
        ({"type": "array", "items": {"const": "a|b"}}, '"a|b"[]'),
        ({"prefixItems": [{"type": "string"}], "items": False}, "[string?]"),
        (
            {"type": "array", "prefixItems": [{"type": "string"}], "minItems": 1},
            "[string, ...unknown[]]",
        ),
        ({"anyOf": [{"type": "string"}, {"type": "number"}]}, "string | number"),
        ({"oneOf": [{"type": "string"}, {"type": "string"}]}, "string"),
        (
            {"allOf": [{"type": ["string", "null"]}, {"enum": ["a", "b"]}]},
            '(string | null) & ("a" | "b")',
        ),
        ({"type": "object"}, "{\n      [key: string]: unknown;\n    }"),
        ({"type": "object", "additionalProperties": False}, "Record<string, never>"),
        ({"additionalProperties": {"type": "number"}}, "{\n      [key: string]: number;\n    }"),
        (
            {"properties": {"a-b": {}}, "additionalProperties": True, "required": ["c"]},
            '{\n      "a-b"?: unknown;\n      c: unknown;\n      [key: string]: unknown;\n    }',
        ),
        ({"format": "binary"}, "Uint8Array"),
        ({}, "unknown"),
        (True, "unknown"),
        (False, "never"),
        ({"type": "date"}, "unknown"),
        ({"$ref": "#/nowhere"}, "unknown"),
        ({"$ref": "https://example.com/x"}, "unknown"),
    ],
)
def test_a_schema_becomes_a_type(schema, expected):
    assert parameter(schema) == expected


@pytest.mark.parametrize(
    "schema", [None, {"type": "object"}, {"type": "object", "properties": {"a": {}}}]
)
def test_an_argument_that_may_be_empty_may_be_left_out(schema):
    assert "t(input?: " in declaration("t", input_schema=schema)


def test_a_schema_that_refers_to_itself_becomes_a_named_type():
    schema = {"type": "object", "properties": {"next": {"$ref": "#"}}, "required": ["next"]}

    assert "type Input = {\n  next: Input;\n};" in declaration("t", input_schema=schema)


def test_types_of_the_same_last_name_are_told_apart():
    schema = {
        "properties": {"a": {"$ref": "#/x/item"}, "b": {"$ref": "#/y/item"}},
        "x": {"item": {"type": "string"}},
        "y": {"item": {"type": "number"}},
    }

    text = declaration("t", input_schema=schema)

    assert "type Item = string;" in text
    assert "type Item2 = number;" in text


def test_nesting_without_end_in_sight_becomes_unknown():
    schema = {"type": "string"}
    for _ in range(5_000):
        schema = {"type": "array", "items": schema}

    assert "unknown[]" in declaration("t", input_schema=schema)


KEYWORDS = st.sampled_from(
    [
        "type",
        "properties",
        "required",
        "items",
        "prefixItems",
        "enum",
        "const",
        "anyOf",
        "allOf",
        "$ref",
        "$defs",
        "additionalProperties",
        "description",
        "default",
        "minItems",
        "nullable",
        "format",
        "object",
        "array",
        "string",
        "#",
        "#/$defs/a",
        "a",
    ]
)
SCHEMAS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | KEYWORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYWORDS, inner, max_size=5),
    max_leaves=25,
)


@given(st.dictionaries(KEYWORDS, SCHEMAS), st.dictionaries(KEYWORDS, SCHEMAS))
def test_whatever_the_schemas_there_is_a_declaration(input_schema, output_schema):
    text = declaration("t", input_schema=input_schema, output_schema=output_schema)

    assert "declare const tools: {\n" in text


SIGNATURES = [
    (None, None, "(input?: unknown) => Promise<unknown>"),
    ({"type": "object"}, {"type": "null"}, "(input?: { [key: string]: unknown }) => Promise<null>"),
    (
        {
            "type": "object",
            "properties": {
                "path": {"type": "string", "description": "Where", "pattern": "^/"},
                "offset": {"type": "integer"},
                "tags": {"type": "array", "items": {"enum": ["a", "b"]}},
                "more": {"type": "object", "additionalProperties": {"type": "number"}},
                "within": {"$ref": "#/$defs/folder"},
            },
            "required": ["path"],
            "$defs": {"folder": {"type": "object", "properties": {"name": {"type": "string"}}}},
        },
        {"type": "string"},
        (
            '(input: { path: string; offset?: number; tags?: ("a" | "b")[]; '
            "more?: { [key: string]: number }; within?: Folder }) => Promise<string>"
        ),
    ),
]


@pytest.mark.parametrize(("takes", "gives", "text"), SIGNATURES)
def test_a_signature_is_one_line_without_comments(takes, gives, text):
    assert signature(input_schema=takes, output_schema=gives) == text
