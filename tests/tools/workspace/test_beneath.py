from __future__ import annotations

import os

import pytest

from pool.errors import ToolError
from pool.tools.workspace.beneath import Workspace, resolve, walk


def read(workspace, path):
    with workspace.open_file(path) as descriptor:
        return os.read(descriptor, 100).decode()


def refused(workspace, path):
    with pytest.raises(ToolError) as refusal:
        read(workspace, path)
    text = str(refusal.value)
    assert "SECRET" not in text
    assert workspace.root not in text
    return text


@pytest.mark.parametrize("path", ["README.md", "./README.md", "src/main.py", "src//main.py"])
def test_a_file_beneath_the_root_is_opened(workspace, path):
    assert read(workspace, path)


@pytest.mark.parametrize(
    "path", ["..", "../secret.txt", "src/../../secret.txt", "src/..", "./../secret.txt"]
)
def test_a_path_upwards_is_refused(workspace, path):
    assert "'..' is not allowed" in refused(workspace, path)


def test_dots_that_are_part_of_a_name_are_no_path_upwards(workspace, root):
    (root / "..notes").write_text("fine")

    assert read(workspace, "..notes") == "fine"


def test_an_absolute_path_is_refused_also_when_it_leads_inside(workspace, root):
    inside = str(root / "README.md")

    with pytest.raises(ToolError, match="is absolute"):
        read(workspace, "/etc/passwd")
    with pytest.raises(ToolError, match="is absolute"):
        read(workspace, inside)


@pytest.mark.parametrize(
    ("link", "target", "path"),
    [
        ("link", "../secret.txt", "link"),
        ("link", "../secrets", "link/key.txt"),
        ("src/link", "../../secrets", "src/link/key.txt"),
        ("link", "/etc/passwd", "link"),
        ("link", "/etc", "link/passwd"),
        ("link", "..", "link/secret.txt"),
    ],
)
def test_a_link_to_the_outside_is_refused(workspace, root, link, target, path):
    (root / link).symlink_to(target)

    assert "leads outside of the workspace" in refused(workspace, path)


def test_a_chain_of_links_to_the_outside_is_refused(workspace, root):
    (root / "first").symlink_to("src/second")
    (root / "src" / "second").symlink_to("../../secret.txt")

    assert "leads outside of the workspace" in refused(workspace, "first")


@pytest.mark.parametrize(
    ("target", "path"),
    [("src/main.py", "link"), ("src", "link/main.py"), ("./src", "link/main.py")],
)
def test_a_link_that_stays_inside_is_followed(workspace, root, target, path):
    (root / "link").symlink_to(target)

    assert read(workspace, path).startswith("def main")


def test_a_root_whose_name_begins_like_another_is_not_that_other(tmp_path):
    (tmp_path / "work").mkdir()
    (tmp_path / "work-secret").mkdir()
    (tmp_path / "work-secret" / "key").write_text("SECRET")
    (tmp_path / "work" / "link").symlink_to("../work-secret/key")

    assert "leads outside" in refused(Workspace(str(tmp_path.resolve() / "work")), "link")


@pytest.mark.parametrize("swapped", ["src", "src/main.py"])
def test_a_link_swapped_in_after_the_check_is_refused(workspace, root, tmp_path, swapped):
    """The worst moment: the path was resolved and found inside, and is a link when it is opened."""
    (tmp_path / "secrets" / "main.py").write_text("SECRET")
    names = resolve(workspace.root, "src/main.py")
    (root / swapped).rename(root / "moved")
    (root / swapped).symlink_to(tmp_path / ("secrets" if swapped == "src" else "secret.txt"))

    with pytest.raises(OSError, match=r"symbolic links|Not a directory"):
        walk(workspace.root, names)


def test_without_a_swap_the_same_steps_open_the_file(workspace):
    descriptor = walk(workspace.root, resolve(workspace.root, "src/main.py"))

    assert os.read(descriptor, 3) == b"def"
    os.close(descriptor)


def test_a_pipe_is_refused_and_not_waited_for(workspace, root):
    os.mkfifo(root / "pipe")

    assert "not a regular file" in refused(workspace, "pipe")


def test_a_directory_is_no_file_and_a_file_no_directory(workspace):
    assert refused(workspace, "src") == "src: is a directory"
    with (
        pytest.raises(ToolError, match=r"README.md: not a directory"),
        workspace.open_directory("README.md"),
    ):
        pass


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("nothing.txt", "nothing.txt: no such file or directory"),
        ("README.md/x", "README.md/x: no such directory"),
        ("a\0b", "a path has no NUL"),
        ("a/" * 3_000, "a path has no NUL and at most 4096 characters"),
        ("a" * 300, "the path is too long"),
    ],
)
def test_what_cannot_be_opened_says_why_without_the_hosts_path(workspace, path, reason):
    assert reason in refused(workspace, path)


def test_a_link_in_a_circle_is_refused(workspace, root):
    (root / "link").symlink_to("link")

    assert "symbolic link" in refused(workspace, "link")


def test_no_descriptor_is_left_open(workspace):
    before = len(os.listdir("/proc/self/fd"))
    for path in ("README.md", "src/deep/other.py", "nothing", "src", "README.md/x"):
        try:
            read(workspace, path)
        except ToolError:
            continue

    assert len(os.listdir("/proc/self/fd")) == before


def test_the_root_itself_may_be_a_directory_only_by_dot(workspace):
    with workspace.open_directory(".") as descriptor:
        assert "README.md" in os.listdir(descriptor)
