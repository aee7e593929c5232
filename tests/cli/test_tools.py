"""`codepool tools` from outside: what a person sees of the sources, and the exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

TOOLS = '''
from pool import Exposure, Tool, tool

@tool
def double(number: int) -> int:
    """Twice as much.

    Works for every number.
    """
    return 2 * number

secret = Tool(
    name="secret", handler=lambda _: 1, description="Twice the secret.", exposure=Exposure.HIDDEN
)
'''

TROUBLE = """
from pool import Tool

dashed = Tool(name="a-b", handler=lambda _: 1)
loose = Tool(
    name="a_b",
    handler=lambda _: 1,
    description="Loose.",
    input_schema={"type": "object", "properties": {"x": {"title": "X"}, "y": {"type": "string"}}},
)
"""


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    file = tmp_path / "tools.py"
    file.write_text(TOOLS, encoding="utf-8")
    return file


def test_the_list_has_a_line_for_each_tool_that_is_not_hidden(codepool, tools):
    done = codepool("tools", "list", "--tools", str(tools))

    assert done.returncode == 0
    assert done.stdout == "double  double  -  direct  Twice as much.\n"


def test_the_list_as_json_has_the_same_fields(codepool, tools):
    done = codepool("tools", "list", "--json", "--tools", str(tools))

    assert json.loads(done.stdout) == [
        {
            "identifier": "double",
            "name": "double",
            "namespace": None,
            "exposure": "direct",
            "summary": "Twice as much.",
        }
    ]


def test_a_search_finds_what_fits_and_nothing_hidden(codepool, tools):
    done = codepool("tools", "search", "twice the secret", "--tools", str(tools))

    assert done.returncode == 0
    assert done.stdout.startswith("double  Twice as much.")
    assert done.stdout.count("\n") == 1


def test_a_guess_is_marked_as_weak_and_a_name_is_not(codepool, tools):
    guess = codepool("tools", "search", "much colder antarctic penguins", "--tools", str(tools))
    named = codepool("tools", "search", "--json", "double", "--tools", str(tools))

    assert guess.stdout == "double  Twice as much.  (weak)\n"
    assert json.loads(named.stdout) == [
        {
            "identifier": "double",
            "name": "double",
            "summary": "Twice as much.",
            "is_weak": False,
        }
    ]


def test_a_search_for_nothing_is_wrong_use(codepool, tools):
    done = codepool("tools", "search", " ", "--tools", str(tools))

    assert done.returncode == 2
    assert "query" in done.stderr


def test_a_tool_is_described_as_typescript(codepool, tools):
    done = codepool("tools", "describe", "double", "--tools", str(tools))

    assert done.returncode == 0
    assert "double(input: {\n    number: number;\n  }): Promise<number>;" in done.stdout


@pytest.mark.parametrize("name", ["secret", "nothing"])
def test_a_hidden_tool_is_described_no_more_than_one_that_is_not_there(codepool, tools, name):
    done = codepool("tools", "describe", name, "--tools", str(tools))

    assert done.returncode == 2
    assert done.stderr.startswith(f"codepool: no tool is called '{name}'")


def test_check_names_what_is_troublesome_and_ends_with_1(codepool, tmp_path: Path):
    (tmp_path / "trouble.py").write_text(TROUBLE, encoding="utf-8")

    done = codepool("tools", "check", "--json", "--tools", "trouble.py")

    assert done.returncode == 1
    problems = [
        (each["name"], each["problem"].partition(":")[0]) for each in json.loads(done.stdout)
    ]
    assert problems == [
        ("a-b", "collides with another name"),
        ("a-b", "has no description"),
        ("a-b", "has no input schema"),
        ("a_b", "argument 'x' has no type"),
    ]


def test_check_of_sound_tools_ends_with_0(codepool, tools):
    done = codepool("tools", "check", "--tools", str(tools))

    assert (done.returncode, done.stdout) == (0, "nothing found\n")


def test_without_a_source_there_is_nothing_to_look_at(codepool):
    done = codepool("tools", "list")

    assert done.returncode == 2
    assert "--tools" in done.stderr
