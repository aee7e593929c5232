from __future__ import annotations

import pytest

from pool.errors import ToolError
from pool.tools.workspace import reading
from pool.tools.workspace.named import NamedFiles


def read(workspace, argument):
    return reading.read(workspace, NamedFiles(), argument)


@pytest.fixture
def write(root):
    def write(content):
        (root / "file").write_bytes(content if isinstance(content, bytes) else content.encode())

    return write


@pytest.mark.parametrize(
    "content", ["", "\n", "one", "one\n", "one\ntwo\n", "one\r\ntwo", "größe\n"]
)
def test_a_whole_file_is_its_text_and_nothing_else(workspace, write, content):
    write(content)

    assert read(workspace, {"path": "file"}) == content


def test_a_page_says_which_lines_it_has_and_how_many_there_are(workspace, write):
    write("1\n2\n3\n4\n5\n")

    page = read(workspace, {"path": "file", "offset": 2, "limit": 2})

    assert page == "2\n3\n[lines 2-3 of 5; continue with offset 4]\n"


def test_the_last_page_does_not_ask_to_continue(workspace, write):
    write("1\n2\n3")

    assert read(workspace, {"path": "file", "offset": 2}) == "2\n3\n[lines 2-3 of 3]\n"


def test_pages_one_after_the_other_are_the_file(workspace, write):
    write("".join(f"{number}\n" for number in range(10)))

    pages = [read(workspace, {"path": "file", "offset": n, "limit": 3}) for n in (1, 4, 7, 10)]

    texts = [page.rpartition("[lines")[0] for page in pages]
    assert "".join(texts) == (read(workspace, {"path": "file"}))


def test_an_offset_after_the_end_names_both_numbers(workspace, write):
    write("1\n2\n")

    with pytest.raises(ToolError, match="file: has 2 lines, offset 3 is after the last one"):
        read(workspace, {"path": "file", "offset": 3})


def test_a_long_line_is_cut_with_a_mark_and_keeps_its_end(workspace, write):
    write("a" * 2_001 + "\r\n" + "b" * 2_000 + "\n")

    assert read(workspace, {"path": "file"}) == (
        "a" * 2_000 + " [1 more characters]\r\n" + "b" * 2_000 + "\n"
    )


def test_what_is_no_utf8_is_replaced(workspace, write):
    write(b"a\xffb\n")

    assert read(workspace, {"path": "file"}) == "a\ufffdb\n"


def test_a_binary_file_is_refused(workspace):
    with pytest.raises(ToolError, match=r"image.bin: is a binary file"):
        read(workspace, {"path": "image.bin"})


def test_a_file_above_the_size_limit_is_refused_with_the_numbers(workspace, root):
    with open(root / "huge", "wb") as file:
        file.truncate(reading.MAX_FILE_BYTES + 1)

    with pytest.raises(ToolError, match=r"huge: is 67108865 bytes, the most .* is 67108864"):
        read(workspace, {"path": "huge"})


def test_a_text_too_long_for_one_page_is_continued(workspace, write):
    lines = reading.MAX_PAGE_CHARS // 1_000 + 5
    write(("a" * 999 + "\n") * lines)

    page = read(workspace, {"path": "file"})

    assert page.endswith(f"[lines 1-{lines - 5} of {lines}; continue with offset {lines - 4}]\n")
    assert len(page) < reading.MAX_PAGE_CHARS + 100
