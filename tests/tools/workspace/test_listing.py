from __future__ import annotations

import os
from dataclasses import replace

import pytest

from pool.errors import ToolError
from pool.tools.workspace.bounds import Bounds
from pool.tools.workspace.listing import everything, find, ls


def test_a_directory_is_listed_by_name_with_type_and_size(workspace, root):
    (root / "link").symlink_to("README.md")
    os.mkfifo(root / "pipe")

    assert ls(workspace, {}) == [
        {"name": "README.md", "type": "file", "size": 21},
        {"name": "image.bin", "type": "file", "size": 6},
        {"name": "link", "type": "link", "size": 0},
        {"name": "pipe", "type": "other", "size": 0},
        {"name": "src", "type": "directory", "size": 0},
    ]


def test_deeper_levels_are_listed_when_asked_for(workspace):
    names = [each["name"] for each in ls(workspace, {"path": "src", "depth": 2})]

    assert names == ["deep", "deep/other.py", "main.py"]


def test_hidden_names_are_listed_when_asked_for(workspace):
    names = [each["name"] for each in ls(workspace, {"hidden": True})]

    assert {".git", ".hidden"} <= set(names)


@pytest.mark.parametrize("path", ["..", "/", "../secrets", "src/../.."])
def test_the_outside_is_not_listed(workspace, path):
    with pytest.raises(ToolError):
        ls(workspace, {"path": path})


def test_a_linked_directory_is_named_and_not_entered(workspace, root):
    (root / "out").symlink_to("../secrets")

    listed = ls(workspace, {"depth": 5})

    assert {"name": "out", "type": "link", "size": 0} in listed
    assert not [each for each in listed if "key" in each["name"]]
    with pytest.raises(ToolError, match="leads outside"):
        ls(workspace, {"path": "out"})


def test_files_are_found_by_name_at_any_depth(workspace):
    assert find(workspace, {"pattern": "*.py"}) == ["src/deep/other.py", "src/main.py"]


def test_found_paths_are_relative_to_the_workspace_and_can_be_opened(workspace):
    [path] = find(workspace, {"pattern": "other.py", "path": "./src/deep"})

    assert path == "src/deep/other.py"
    with workspace.open_file(path):
        pass


def test_git_is_not_searched_but_other_hidden_files_are(workspace):
    assert find(workspace, {"pattern": "*"}) == [
        ".hidden",
        "README.md",
        "image.bin",
        "src/deep/other.py",
        "src/main.py",
    ]


def test_no_more_paths_than_asked_for_are_found(workspace):
    assert len(find(workspace, {"pattern": "*", "limit": 2})) == 2


def test_nothing_beyond_a_link_is_found(workspace, root):
    (root / "out").symlink_to("../secrets")
    (root / "loop").symlink_to(".")

    assert "key.txt" not in str(find(workspace, {"pattern": "**/*.txt"}))
    assert find(workspace, {"pattern": "*.md"}) == ["README.md"]


def test_a_directory_that_becomes_a_link_during_the_walk_is_not_entered(workspace, root):
    seen = []
    with workspace.open_directory(".") as directory:
        for entry in everything(workspace).entries(directory):
            seen.append(entry.path)
            if entry.path == "src":
                (root / "src").rename(root.parent / "moved")
                (root / "src").symlink_to("../secrets")

    assert "src" in seen
    assert not [path for path in seen if path.startswith("src/")]


def test_a_tree_deeper_than_the_limit_is_walked_to_the_limit(workspace, root):
    workspace = replace(workspace, bounds=Bounds(depth=3))
    (root / "a/b/c/d").mkdir(parents=True)
    for directory in ("a", "a/b", "a/b/c"):
        (root / directory / "leaf.txt").touch()

    assert find(workspace, {"pattern": "leaf.txt"}) == ["a/b/leaf.txt", "a/leaf.txt"]


def test_a_walk_over_too_many_entries_ends_with_advice(workspace):
    workspace = replace(workspace, bounds=Bounds(entries=5))

    with pytest.raises(ToolError, match="more than 5 entries; choose a smaller directory"):
        find(workspace, {"pattern": "*"})


def test_a_listing_that_is_too_long_ends_with_advice(workspace):
    workspace = replace(workspace, bounds=Bounds(listed=2))

    with pytest.raises(ToolError, match="more than 2 entries; list a smaller directory"):
        ls(workspace, {})


def test_a_walk_leaves_no_descriptor_open(workspace):
    before = len(os.listdir("/proc/self/fd"))

    find(workspace, {"pattern": "*", "limit": 1})

    assert len(os.listdir("/proc/self/fd")) == before
