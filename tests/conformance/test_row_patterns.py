"""What a pattern admits, and what is said of the rest."""

from __future__ import annotations

import pytest

from pool import ABSENT
from pool.conformance.patterns import Difference, differences, pattern_fault


def found_wrong(wanted, found) -> list[str]:
    return [each.path for each in differences(wanted, found, "value")]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (1, 1.0),
        ({"a": 1, "b": [None]}, {"b": [None], "a": 1}),
        ({"$bytes": "AQI="}, {"$bytes": "AQI="}),
        ({"$any": True, "b": 1}, {"$any": True, "b": 1}),
        ({"$any": True}, {"deep": [1]}),
        ({"$any": True}, ABSENT),
        ({"$contains": "b"}, "abc"),
        ({"$contains": ["a", "c"]}, "abc"),
        ({"$contains": 2}, [1, 2]),
        ({"$contains": [{"$contains": "b"}, 1]}, [1, "abc"]),
        ({"$matches": "^a.c$"}, "abc"),
        ([{"$any": True}, 2], [1, 2]),
    ],
)
def test_a_pattern_admits_what_is_equal_or_matches(wanted, found):
    assert found_wrong(wanted, found) == []


@pytest.mark.parametrize(
    ("wanted", "found", "paths"),
    [
        (1, True, ["value"]),
        (0, False, ["value"]),
        ("1", 1, ["value"]),
        (None, ABSENT, ["value"]),
        (ABSENT, None, ["value"]),
        ({"a": 1, "b": 2}, {"a": 1, "b": 3, "c": 4}, ["value.b", "value.c"]),
        ({"a": 1}, {}, ["value.a"]),
        ([1, 2], [1, 3], ["value[1]"]),
        ([1], [1, 2], ["value"]),
        ({"$contains": "x"}, "abc", ["value"]),
        ({"$contains": ["a", "x"]}, "abc", ["value"]),
        ({"$contains": 1}, [True], ["value"]),
        ({"$contains": "a"}, None, ["value"]),
        ({"$matches": "^b"}, "abc", ["value"]),
    ],
)
def test_what_differs_is_named_by_its_path(wanted, found, paths):
    assert found_wrong(wanted, found) == paths


def test_both_sides_of_a_difference_are_shown_shortened():
    [difference] = differences("é", "x" * 1_000, "output[0]")

    assert difference == Difference("output[0]", '"é"', '"' + "x" * 299 + "… (1002 characters)")


@pytest.mark.parametrize(
    "pattern", [{"$matchs": "x"}, {"$matches": "("}, {"$any": 1}, [{"a": {"$contain": 1}}]]
)
def test_a_matcher_that_is_none_is_a_fault(pattern):
    assert pattern_fault(pattern)


def test_data_and_matchers_are_no_fault():
    pattern = {"a": [{"$any": True}, {"$bytes": "AA=="}, {"$x": 1, "$y": 2}]}

    assert pattern_fault(pattern) is None
