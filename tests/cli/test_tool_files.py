"""Which tools a Python file offers, and how a file that cannot be used is told."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pool.cli.exits import WrongUse
from pool.cli.tool_files import check_names, load_tools
from pool.tools.tool import Tool


@pytest.fixture(autouse=True)
def _restore_imports(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(sys, "modules", {**sys.modules})


def _file(directory: Path, text: str) -> Path:
    path = directory / "mine.py"
    path.write_text(text, encoding="utf-8")
    return path


def test_every_tool_at_the_top_level_is_taken_once_in_order(tmp_path: Path):
    path = _file(
        tmp_path,
        "from pool import Tool\n"
        "second = Tool(name='b', handler=len)\n"
        "first = Tool(name='a', handler=len)\n"
        "again = second\n"
        "inside = [Tool(name='c', handler=len)]\n",
    )

    assert [tool.name for tool in load_tools(path)] == ["b", "a"]


def test_a_tool_file_may_import_its_neighbours(tmp_path: Path):
    (tmp_path / "neighbour_of_mine.py").write_text("NAME = 'near'\n", encoding="utf-8")
    path = _file(
        tmp_path,
        "from neighbour_of_mine import NAME\nfrom pool import Tool\n"
        "near = Tool(name=NAME, handler=len)\n",
    )

    assert [tool.name for tool in load_tools(path)] == ["near"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("x = 1\ny = z\n", r"line 2: NameError: name 'z'", id="raises"),
        pytest.param("x = (\n", "SyntaxError", id="does not parse"),
        pytest.param("raise SystemExit(0)\n", "SystemExit", id="ends the process"),
        pytest.param("x = 1\n", "defines no tool", id="has no tool"),
    ],
)
def test_a_file_that_cannot_be_used_is_named_with_the_reason(tmp_path: Path, text, said):
    path = _file(tmp_path, text)

    with pytest.raises(WrongUse, match=said) as refused:
        load_tools(path)

    assert "mine.py" in str(refused.value)


def test_two_tools_of_one_name_are_refused_and_two_names_are_not():
    one, other = Tool(name="a", handler=len), Tool(name="b", handler=len)

    check_names([one, other])
    with pytest.raises(WrongUse, match="'a'"):
        check_names([one, other, one])
