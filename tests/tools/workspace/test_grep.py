from __future__ import annotations

from dataclasses import replace

import pytest

from pool.errors import ToolError
from pool.tools.workspace.bounds import Bounds
from pool.tools.workspace.grep import grep


def places(found):
    return [(each["path"], each["line"]) for each in found]


def test_matching_lines_come_with_path_and_number(workspace):
    assert grep(workspace, {"pattern": "TODO", "path": "src"}) == [
        {"path": "src/main.py", "line": 2, "text": "    return 1  # TODO"}
    ]


def test_the_whole_workspace_is_searched_but_not_git_and_no_binary_file(workspace):
    found = grep(workspace, {"pattern": "TODO"})

    assert places(found) == [(".hidden", 1), ("README.md", 3), ("src/main.py", 2)]


def test_a_single_file_is_searched(workspace):
    assert places(grep(workspace, {"pattern": "TODO", "path": "./README.md"})) == [("README.md", 3)]


def test_a_single_binary_file_has_no_lines(workspace):
    assert grep(workspace, {"pattern": "TODO", "path": "image.bin"}) == []


def test_only_files_like_the_glob_are_searched(workspace):
    assert places(grep(workspace, {"pattern": "TODO", "glob": "*.md"})) == [("README.md", 3)]


def test_case_is_ignored_when_asked_for(workspace):
    assert grep(workspace, {"pattern": "todo"}) == []
    assert len(grep(workspace, {"pattern": "todo", "ignore_case": True})) == 3


def test_no_more_lines_than_asked_for_are_found(workspace):
    assert len(grep(workspace, {"pattern": "TODO", "limit": 2})) == 2


def test_the_end_of_a_line_is_not_part_of_it(workspace, root):
    (root / "dos.txt").write_bytes(b"end\r\n")

    assert grep(workspace, {"pattern": "end$"}) == [{"path": "dos.txt", "line": 1, "text": "end"}]


def test_a_long_line_is_found_and_shown_in_part(workspace, root):
    (root / "long.txt").write_text("a" * 5_000 + "needle\n")

    [found] = grep(workspace, {"pattern": "needle"})

    assert found["text"] == "a" * 2_000 + " [3006 more characters]"


@pytest.mark.parametrize("path", ["..", "../secrets", "../secret.txt", "/etc/passwd"])
def test_the_outside_is_not_searched(workspace, path):
    with pytest.raises(ToolError):
        grep(workspace, {"pattern": ".", "path": path})


def test_nothing_beyond_a_link_is_searched(workspace, root):
    (root / "file").symlink_to("../secret.txt")
    (root / "directory").symlink_to("../secrets")

    assert grep(workspace, {"pattern": "SECRET"}) == []
    assert len(grep(workspace, {"pattern": "Notes"})) == 1


def test_a_search_that_takes_too_long_ends_with_advice(workspace):
    workspace = replace(workspace, bounds=Bounds(search_s=-1.0))

    with pytest.raises(ToolError, match=r"took longer than .* narrow path or glob"):
        grep(workspace, {"pattern": "TODO"})
