from __future__ import annotations

import os
import resource
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pool.errors import ProtocolFault
from pool.program.files import PREFIX, RunFiles, sniff, sweep

IMAGES = {
    "image/png": b"\x89PNG\r\n\x1a\n rest",
    "image/jpeg": b"\xff\xd8\xff\xe0 rest",
    "image/gif": b"GIF89a rest",
    "image/webp": b"RIFF\x10\x00\x00\x00WEBPVP8 ",
}
PNG = IMAGES["image/png"]


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A system temporary directory of the test's own."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize(("mime_type", "data"), IMAGES.items())
def test_an_image_is_saved_under_its_type(mime_type: str, data: bytes) -> None:
    with RunFiles() as files:
        item = files.save_image(mime_type, data)

        assert item.mime_type == mime_type
        assert Path(item.path).read_bytes() == data


def test_images_of_a_run_have_different_names_in_one_private_directory(temporary: Path) -> None:
    with RunFiles() as files:
        paths = [Path(files.save_image("image/png", PNG).path) for _ in range(2)]

        assert [path.name for path in paths] == ["image-1.png", "image-2.png"]
        (directory,) = temporary.iterdir()
        assert directory == paths[0].parent == paths[1].parent
        assert directory.name.startswith("codepool-")
        assert stat.S_IMODE(directory.stat().st_mode) == 0o700
        assert stat.S_IMODE(paths[0].stat().st_mode) == 0o600


def test_o5_the_full_output_lies_beside_the_images_for_this_user_only() -> None:
    with RunFiles() as files:
        image = Path(files.save_image("image/png", PNG).path)

        output = Path(files.save_output("größe 🎈\r\n"))

        assert output.read_bytes() == "größe 🎈\r\n".encode()
        assert (output.parent, output.name) == (image.parent, "output.txt")
        assert files.directory == str(output.parent)
        assert stat.S_IMODE(output.stat().st_mode) == 0o600

    assert not output.exists()


def test_nothing_that_lies_there_is_written_over(tmp_path: Path) -> None:
    (tmp_path / "target").write_text("kept")
    with RunFiles() as files:
        directory = Path(files.save_image("image/png", PNG).path).parent
        (directory / "output.txt").symlink_to(tmp_path / "target")

        with pytest.raises(FileExistsError):
            files.save_output("lost")

    assert (tmp_path / "target").read_text() == "kept"


@contextmanager
def small_disk(size: int) -> Iterator[None]:
    """Files of this process hold `size` bytes and no more.

    No fixture: those of pytest last until its report is written, and that may go to a file too.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_file_that_has_no_room_leaves_no_half_behind(temporary: Path) -> None:
    size = 4_096
    with RunFiles() as files, small_disk(size):
        with pytest.raises(OSError, match="File too large"):
            files.save_output("x" * (size + 1))
        with pytest.raises(OSError, match="File too large"):
            files.save_image("image/png", PNG + bytes(size))

        [directory] = temporary.iterdir()
        assert list(directory.iterdir()) == []
        assert files.save_output("x" * size)


def test_no_directory_is_made_for_a_run_without_files(temporary: Path) -> None:
    with RunFiles():
        assert list(temporary.iterdir()) == []


def test_closing_removes_everything_and_may_be_repeated(temporary: Path) -> None:
    files = RunFiles()
    files.save_image("image/png", PNG)

    files.close()
    files.close()

    assert list(temporary.iterdir()) == []


def test_closing_after_someone_else_cleaned_up_is_no_error() -> None:
    files = RunFiles()
    path = Path(files.save_image("image/png", PNG).path)
    path.unlink()
    path.parent.rmdir()

    files.close()


@pytest.mark.parametrize(
    ("mime_type", "data"),
    [
        ("image/png", IMAGES["image/gif"]),
        ("image/svg+xml", b"<svg/>"),
        ("image/png", b""),
        ("../../x", PNG),
        ("image/webp", b"RIFF\x10\x00\x00\x00WAVE"),
    ],
)
def test_what_a_sound_worker_never_sends_is_a_fault(
    mime_type: str, data: bytes, temporary: Path
) -> None:
    with RunFiles() as files, pytest.raises(ProtocolFault):
        files.save_image(mime_type, data)

    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize("data", [b"", b"<html>", b"\x89PNG", b"BM", b"RIFF", b"GIF88a"])
def test_other_bytes_are_no_image(data: bytes) -> None:
    assert sniff(data) is None


def old(path: Path) -> Path:
    os.utime(path, (0, 0))
    return path


def test_a_sweep_removes_old_directories_of_runs_only(temporary: Path) -> None:
    stale = temporary / f"{PREFIX}stale"
    stale.mkdir()
    (stale / "image-1.png").write_bytes(PNG)
    kept = [temporary / f"{PREFIX}fresh", temporary / "codepool-cache", temporary / "other"]
    for path in kept:
        path.mkdir()
    old(stale), old(kept[1]), old(kept[2])

    sweep(max_age_s=3600)

    assert sorted(temporary.iterdir()) == sorted(kept)


def test_a_sweep_follows_no_link(temporary: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    target = tmp_path_factory.mktemp("target")
    link = temporary / f"{PREFIX}link"
    link.symlink_to(target)
    os.utime(link, (0, 0), follow_symlinks=False)

    sweep(max_age_s=3600)

    assert link.is_symlink()
    assert target.exists()
