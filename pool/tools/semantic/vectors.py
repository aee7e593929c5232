"""Vectors on disk, by what was embedded: the same text is embedded once for all programs."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

import numpy as np

from pool.tools.semantic.embedder import Vectors

# Another process that writes at the moment; a write takes milliseconds.
_BUSY_TIMEOUT_S: Final = 10.0

# Variables of one statement; SQLite before 3.32 allowed 999.
_AT_ONCE: Final = 500


class VectorCache:
    """A file of vectors. Any number of processes may use it; each call stands alone.

    What was interrupted has written whole batches or nothing. A file that is lost costs time only.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        file.parent.mkdir(parents=True, exist_ok=True)
        with closing(self._connect()) as database, database:
            database.execute("PRAGMA journal_mode = WAL")
            database.execute(
                "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB NOT NULL) "
                "WITHOUT ROWID"
            )

    def read(self, model: str, texts: Sequence[str]) -> dict[str, Vectors]:
        """The vectors there are, by text."""
        by_key = {_key(model, text): text for text in texts}
        keys = list(by_key)
        found: dict[str, Vectors] = {}
        with closing(self._connect()) as database:
            for at in range(0, len(keys), _AT_ONCE):
                some = keys[at : at + _AT_ONCE]
                marks = ", ".join("?" * len(some))
                rows = database.execute(
                    f"SELECT key, vector FROM vectors WHERE key IN ({marks})",  # noqa: S608
                    some,
                )
                found |= {
                    by_key[key]: np.frombuffer(vector, np.float16).astype(np.float32)
                    for key, vector in rows
                }
        return found

    def write(self, model: str, vectors: Mapping[str, Vectors]) -> None:
        """Keep the vectors of some texts."""
        rows = [
            (_key(model, text), vector.astype(np.float16).tobytes())
            for text, vector in vectors.items()
        ]
        with closing(self._connect()) as database, database:
            database.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows)

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(self._file, timeout=_BUSY_TIMEOUT_S)


def _key(model: str, text: str) -> bytes:
    return hashlib.sha256(f"{model}\0{text}".encode()).digest()
