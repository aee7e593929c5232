from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pool.tools.arguments import MAX_FAULT_CHARS, MAX_FAULTS, ArgumentCheck

SCHEMA = {
    "type": "object",
    "properties": {
        "limit": {"type": "integer", "minimum": 1},
        "rows": {"type": "array", "items": {"properties": {"a b": {"type": "string"}}}},
        "either": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "shape": {
            "oneOf": [
                {"type": "object", "properties": {"side": {"type": "number"}}},
                {"type": "null"},
            ]
        },
        "kind": {"enum": ["a", "b"]},
    },
    "required": ["limit"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    ("argument", "fault"),
    [
        ({"limit": 0}, "argument.limit: 0 is less than the minimum of 1"),
        ({"limit": "3"}, 'argument.limit: "3" is not of type "integer"'),
        ({}, 'argument: "limit" is a required property'),
        (5, 'argument: 5 is not of type "object"'),
        (None, 'argument: null is not of type "object"'),
        ({"limit": 1, "rows": [{}, {"a b": 1}]}, 'argument.rows[1]["a b"]: 1 is not of type'),
        ({"limit": 1, "either": []}, 'argument.either: [] is not of types "string", "null"'),
        ({"limit": 1, "shape": {"side": "x"}}, 'argument.shape.side: "x" is not of type "number"'),
        ({"limit": 1, "extra": 1}, "argument: Additional properties are not allowed ('extra'"),
        ({"limit": b"x"}, 'argument.limit: "<1 bytes>" is not of type "integer"'),
        ({"limit": 1, "kind": b"a"}, 'argument.kind: "<1 bytes>" is not one of'),
        ({"limit": 1, "either": b"ab"}, 'argument.either: {"bytes":2} is not of types "string"'),
        (b"abc", 'argument: "<3 bytes>" is not of type "object"'),
    ],
)
def test_a_fault_names_path_and_expectation(argument, fault):
    assert fault in ArgumentCheck.of(SCHEMA).fault(argument)


def test_a_value_that_meets_several_alternatives_of_which_one_is_wanted_says_so():
    check = ArgumentCheck.of({"oneOf": [{"type": "string"}, {"minLength": 1}]})

    assert "valid under more than one" in check.fault("a")


def test_a_valid_argument_has_no_fault():
    argument = {"limit": 1, "rows": [{"a b": "x"}], "either": None, "shape": None, "kind": "a"}

    assert ArgumentCheck.of(SCHEMA).fault(argument) is None


def test_bytes_pass_where_the_schema_does_not_ask_for_something_else():
    check = ArgumentCheck.of({"type": "object", "properties": {"data": {"format": "binary"}}})

    assert check.fault({"data": b"\x00\xff"}) is None


def test_several_faults_are_told_at_once_but_not_all_of_them():
    check = ArgumentCheck.of({"items": {"type": "string"}})

    told = check.fault(list(range(100))).split("; ")

    assert told[0] == 'argument[0]: 0 is not of type "string"'
    assert len(told) == MAX_FAULTS


def test_a_long_value_is_quoted_in_part():
    fault = ArgumentCheck.of({"type": "integer"}).fault("x" * 100_000)

    assert len(fault) < MAX_FAULT_CHARS + 50
    assert fault.endswith('is not of type "integer"')


@pytest.mark.parametrize("schema", [{"type": 5}, {"$ref": "#/nowhere"}, {"pattern": "("}])
def test_what_is_no_schema_is_a_value_error(schema):
    with pytest.raises(ValueError, match=r"^schema"):
        ArgumentCheck.of(schema)


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=20) | st.binary(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=20,
)


@given(JSON_VALUES)
def test_every_fault_begins_with_a_path_in_the_argument(argument):
    fault = ArgumentCheck.of(SCHEMA).fault(argument)

    assert fault is None or fault.startswith(("argument: ", "argument.", "argument["))


# Not the empty key: jsonschema-rs leaves it out of its paths.
@given(st.dictionaries(st.text(min_size=1, max_size=10), st.integers(), min_size=1, max_size=1))
def test_a_fault_below_a_key_names_that_key(argument):
    [key] = argument

    fault = ArgumentCheck.of({"additionalProperties": {"type": "string"}}).fault(argument)

    quoted = json.dumps(key, ensure_ascii=False)
    assert fault.startswith((f"argument.{key}: ", f"argument[{quoted}]: ", f"argument[{key}]: "))


def test_an_unexpected_property_is_named_where_a_tool_takes_none() -> None:
    check = ArgumentCheck.of({"type": "object", "additionalProperties": False})

    assert check.fault({}) is None
    assert "'paht'" in str(check.fault({"paht": 1}))
