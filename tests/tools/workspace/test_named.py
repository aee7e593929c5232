"""Files outside of the workspace that a host has named, and ways to get at other ones: O-5."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pool.errors import ToolError
from pool.tools.workspace import NamedFiles, reading, workspace_tools

SECRET = "SECRET\n"


@pytest.fixture
def output(tmp_path: Path) -> Path:
    """The full output of a run of this session."""
    directory = tmp_path / "codepool-run-1"
    directory.mkdir()
    path = directory / "output.txt"
    path.write_text("1\n2\n3\n")
    return path


@pytest.fixture
def named(output: Path) -> NamedFiles:
    named = NamedFiles()
    named.add(str(output))
    return named


@pytest.fixture
def read(workspace, named):
    return lambda path, **page: reading.read(workspace, named, {"path": str(path), **page})


def refused(read, path) -> str:
    with pytest.raises(ToolError) as refusal:
        read(path)
    assert "SECRET" not in str(refusal.value)
    return str(refusal.value)


def test_o5_a_named_file_is_read_by_its_path_whole_and_in_pages(read, output):
    assert read(output) == "1\n2\n3\n"
    assert read(output, offset=2, limit=1) == "2\n[lines 2-2 of 3; continue with offset 3]\n"
    assert read("README.md").startswith("# Notes")


def test_a_named_file_is_text_even_with_a_nul(read, named, tmp_path):
    path = tmp_path / "output.txt"
    path.write_bytes(b"a\0b\n")
    named.add(str(path))

    assert read(path) == "a\0b\n"


def test_the_tool_of_a_workspace_reads_what_is_named_later(root, output):
    named = NamedFiles()
    tool, *_ = workspace_tools(root, named=named)
    with pytest.raises(ToolError, match="is absolute"):
        tool.handler({"path": str(output)})

    named.add(str(output))

    assert tool.handler({"path": str(output)}) == "1\n2\n3\n"


@pytest.mark.parametrize(
    "spelling",
    ["{0}/./output.txt", "{0}//output.txt", "{0}/../codepool-run-1/output.txt", "/{0}/output.txt"],
)
def test_another_spelling_of_the_path_is_refused(read, output, spelling):
    assert "paths are relative to the workspace" in refused(read, spelling.format(output.parent))


@pytest.mark.parametrize("path", ["/etc/passwd", "{0}", "{0}/", "{0}/image-1.png", "{1}"])
def test_what_lies_around_a_named_file_is_refused(read, output, tmp_path, path):
    (output.parent / "image-1.png").write_text(SECRET)
    path = path.format(output.parent, tmp_path / "secret.txt")

    assert "is absolute" in refused(read, path)


def test_a_file_of_another_session_is_refused_as_if_there_were_none(workspace, output):
    others = NamedFiles()

    def read(path):
        return reading.read(workspace, others, {"path": str(path)})

    there, absent = refused(read, output), refused(read, output.with_name("absent"))

    assert there.replace("output.txt", "absent") == absent


def test_a_file_that_was_taken_back_is_refused(read, named, output):
    named.discard(str(output))
    named.discard("/never/named")

    assert "is absolute" in refused(read, output)


def test_a_file_that_is_gone_says_why_and_what_to_do(read, output):
    output.unlink()

    gone = (
        f"{output}: is gone: the files of a run are removed with its outcome, or after a day;"
        " run the program again, or have it show less"
    )
    assert refused(read, output) == gone
    output.parent.rmdir()
    assert refused(read, output) == gone


def by_a_link(output: Path, secret: Path) -> None:
    output.unlink()
    output.symlink_to(secret)


def by_a_hard_link(output: Path, secret: Path) -> None:
    output.unlink()
    output.hardlink_to(secret)


def by_a_copy(output: Path, secret: Path) -> None:
    output.unlink()
    output.write_bytes(secret.read_bytes())


def by_a_rename(output: Path, secret: Path) -> None:
    secret.rename(output)


def by_writing_into_it(output: Path, secret: Path) -> None:
    output.write_bytes(secret.read_bytes())


def by_a_pipe(output: Path, secret: Path) -> None:
    output.unlink()
    os.mkfifo(output)


def by_a_directory(output: Path, secret: Path) -> None:
    output.unlink()
    output.mkdir()


def by_a_linked_directory(output: Path, secret: Path) -> None:
    output.parent.rename(output.parent.with_name("moved"))
    secret.rename(secret.with_name("output.txt"))
    output.parent.symlink_to(secret.parent)


@pytest.mark.parametrize(
    "replaced",
    [
        *(by_a_link, by_a_hard_link, by_a_copy, by_a_rename, by_writing_into_it),
        *(by_a_pipe, by_a_directory, by_a_linked_directory),
    ],
)
def test_a_file_put_in_its_place_is_refused(read, output, tmp_path, replaced):
    secret = tmp_path / "secrets" / "key.txt"

    replaced(output, secret)

    assert refused(read, output) == f"{output}: has been replaced since it was named"


def test_a_directory_that_became_a_link_to_the_same_file_is_no_harm(read, output):
    moved = output.parent.with_name("moved")
    output.parent.rename(moved)
    output.parent.symlink_to(moved)

    assert read(output) == "1\n2\n3\n"


@pytest.mark.parametrize(
    ("path", "error"),
    [
        ("{0}/absent", FileNotFoundError),
        ("{0}/link", OSError),
        ("{0}/pipe", ValueError),
        ("{0}", ValueError),
        ("codepool-run-1/output.txt", ValueError),
        ("", ValueError),
    ],
)
def test_only_files_that_are_there_are_named(output, path, error):
    (output.parent / "link").symlink_to(output)
    os.mkfifo(output.parent / "pipe")

    with pytest.raises(error):
        NamedFiles().add(path.format(output.parent))


def test_no_descriptor_is_left_open(read, named, output):
    before = len(os.listdir("/proc/self/fd"))

    read(output)
    for path in (output.parent, output.with_name("absent")):
        with pytest.raises((ValueError, OSError)):
            named.add(str(path))
    by_writing_into_it(output, output.parent.parent / "secret.txt")
    refused(read, output)

    assert len(os.listdir("/proc/self/fd")) == before
