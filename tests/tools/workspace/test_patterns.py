from __future__ import annotations

import time

import pytest

from pool.errors import ToolError
from pool.tools.workspace.patterns import LinePattern


@pytest.mark.parametrize(
    ("pattern", "line"),
    [
        ("b+", "abbc"),
        (r"\bfoo\b", "a foo b"),
        ("^x$", "x"),
        (r"def\s+(\w+)\(", "  def main("),
        ("TODO|FIXME", "a FIXME"),
        ("größe", "die größe"),
        ("(?<name>a)", "a"),
        ("", "anything"),
    ],
)
def test_an_expression_that_occurs_matches(pattern, line):
    assert LinePattern.of(pattern).matches(line)


@pytest.mark.parametrize(("pattern", "line"), [("^b", "ab"), ("a{3}", "aa"), ("A", "a")])
def test_an_expression_that_does_not_occur_does_not(pattern, line):
    assert not LinePattern.of(pattern).matches(line)


def test_case_is_ignored_when_asked_for():
    assert LinePattern.of("todo|x", ignores_case=True).matches("a ToDo")


@pytest.mark.parametrize("pattern", ["(", "(?=a)", r"(a)\1", "(a{1000}){1000}", "[", "{"])
def test_what_is_not_supported_is_refused_with_advice(pattern):
    with pytest.raises(ToolError, match="look-around and back-references"):
        LinePattern.of(pattern)


def test_a_pattern_that_is_too_long_is_refused():
    with pytest.raises(ToolError, match="at most 10000 characters"):
        LinePattern.of("a" * 10_001)


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|a)*$", "(x+x+)+y", r"(.*)(.*)(.*)(.*)(.*)[^a]$"])
def test_an_expression_made_to_explode_does_not(pattern):
    began_at = time.perf_counter()

    LinePattern.of(pattern).matches("a" * 65_000 + "b")

    assert time.perf_counter() - began_at < 1
