"""Temporary files of one run.

They lie in a directory of the run's own below the system's temporary directory, made when the
first file is, readable for this user only. They last until the run's files are closed; what a
killed host leaves behind is swept by a later one. Nothing a program says becomes part of a name.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from pool.errors import ProtocolFault
from pool.program.outcome import ImageItem

# Apart from other directories of this package, which are not for `sweep` to remove.
PREFIX: Final = "codepool-run-"

_SUFFIXES: Final = {
    "image/png": "png",
    "image/jpeg": "jpg",
    "image/gif": "gif",
    "image/webp": "webp",
}


class RunFiles:
    """The files of one run. Use `close` or a `with` block to remove them.

    Blocking, but never for long: files go to a local disk and are bounded by `output_chars`.
    """

    def __init__(self) -> None:
        self._directory: Path | None = None
        self._images = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def save_image(self, mime_type: str, data: bytes) -> ImageItem:
        """Save an image that a program showed.

        Args:
            mime_type: What the worker takes it for.

        Raises:
            ProtocolFault: The bytes are not of that type; a sound worker has looked at them.
            OSError: The file cannot be written.
        """
        if sniff(data) != mime_type:
            raise ProtocolFault("an image is not of the type it is said to be")
        self._images += 1
        path = self._save(f"image-{self._images}.{_SUFFIXES[mime_type]}", data)
        return ImageItem(mime_type, path)

    def save_output(self, text: str) -> str:
        """Save the full text of the outcome, once, and return the path of the file.

        Args:
            text: Well-formed, that is without surrogates.

        Raises:
            OSError: The file cannot be written.
        """
        return self._save("output.txt", text.encode())

    @property
    def directory(self) -> str | None:
        """Where the files lie; None while there are none."""
        return None if self._directory is None else str(self._directory)

    def close(self) -> None:
        """Remove everything. May be called again; what cannot be removed is left to `sweep`."""
        if self._directory is not None:
            shutil.rmtree(self._directory, ignore_errors=True)
            self._directory = None

    def _save(self, name: str, data: bytes) -> str:
        path = self._made_directory() / name
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
        except OSError:
            path.unlink(missing_ok=True)  # half a file is worse than none
            raise
        return str(path)

    def _made_directory(self) -> Path:
        if self._directory is None:
            self._directory = Path(tempfile.mkdtemp(prefix=PREFIX))
        return self._directory


def sniff(data: bytes) -> str | None:
    """The type of an image by its first bytes; None for what may not be shown."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if data.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if data.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return "image/webp"
    return None


def sweep(max_age_s: float) -> None:
    """Remove directories of runs that this user left behind.

    Args:
        max_age_s: Seconds since a directory last changed; younger ones may be in use.
    """
    oldest = time.time() - max_age_s
    with os.scandir(tempfile.gettempdir()) as entries:
        for entry in entries:
            if entry.name.startswith(PREFIX) and _is_stale(entry, oldest):
                shutil.rmtree(entry.path, ignore_errors=True)


def _is_stale(entry: os.DirEntry[str], oldest: float) -> bool:
    try:
        status = entry.stat(follow_symlinks=False)
        is_ours = entry.is_dir(follow_symlinks=False) and status.st_uid == os.geteuid()
    except FileNotFoundError:  # another process sweeps too
        return False
    return is_ours and status.st_mtime < oldest
