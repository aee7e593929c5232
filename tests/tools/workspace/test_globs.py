from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pool.errors import ToolError
from pool.tools.workspace.globs import Glob


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("*.py", "a.py"),
        ("*.py", "src/deep/a.py"),
        ("src/*.py", "src/a.py"),
        ("./src/*.py", "src/a.py"),
        ("src/**/*.py", "src/a.py"),
        ("src/**/*.py", "src/x/y/a.py"),
        ("**/test_*.py", "test_a.py"),
        ("**/test_*.py", "x/test_a.py"),
        ("**", "x/y/z"),
        ("src/**", "src/x/y"),
        ("**/x/**/y", "a/x/b/x/c/y"),
        ("*.{js,ts}", "a.ts"),
        ("{a,b}/{c,d}.py", "b/c.py"),
        ("{a,{b,c}}.py", "c.py"),
        ("file?.txt", "file1.txt"),
        ("[abc].txt", "b.txt"),
        ("*", ".hidden"),
    ],
)
def test_a_path_fits_its_pattern(pattern, path):
    assert Glob.of(pattern).matches(path)


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("*.py", "a.pyc"),
        ("*.py", "a.py/b"),
        ("src/*.py", "src/x/a.py"),
        ("src/*.py", "lib/src/a.py"),
        ("src/**/*.py", "lib/a.py"),
        ("**/x/**/y", "a/x/b/z"),
        ("*.{js,ts}", "a.jsx"),
        ("file?.txt", "file12.txt"),
        ("[abc].txt", "d.txt"),
        ("a.py", "A.py"),
        ("a.b", "axb"),
    ],
)
def test_another_path_does_not(pattern, path):
    assert not Glob.of(pattern).matches(path)


@pytest.mark.parametrize("pattern", ["", "a" * 1_001, "{a,b}" * 7])
def test_a_pattern_that_is_empty_or_too_much_is_refused(pattern):
    with pytest.raises(ToolError, match="a glob pattern has"):
        Glob.of(pattern)


@pytest.mark.parametrize(
    ("pattern", "path"),
    [("*a" * 60 + "b", "a" * 255), ("**/a/" * 100 + "b", "a/" * 2_000 + "c")],
)
def test_a_pattern_made_to_explode_does_not(pattern, path):
    began_at = time.perf_counter()

    assert not Glob.of(pattern).matches(path)
    assert time.perf_counter() - began_at < 1


STEPS = st.sampled_from(["**", "*", "a", "b", "a*"])
NAMES = st.lists(st.sampled_from(["a", "b", "ab", "c"]), min_size=1, max_size=6)


@given(st.lists(STEPS, min_size=2, max_size=5), NAMES)
def test_matching_agrees_with_the_plain_definition(steps, names):
    parts = {"**": "(?:[^/]+/)*", "*": "[^/]*/", "a*": "a[^/]*/"}
    expression = "".join(parts.get(step, f"{step}/") for step in steps)

    expected = re.fullmatch(expression, "/".join(names) + "/") is not None
    assert Glob.of("/".join(steps)).matches("/".join(names)) is expected
