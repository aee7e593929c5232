"""Words and meaning together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

import numpy as np

from pool.tools.ranking import Document, Found, Index, Match
from pool.tools.ranking.index import NAMED
from pool.tools.semantic.embedder import Embedder, Vectors
from pool.tools.semantic.vectors import VectorCache

# How much meaning counts beside words; between 0.35 and 0.5 the quality is the same.
_MEANING: Final = 0.45

# Of the nearest by meaning so many are looked at; their similarities become 1 to 0.
_NEAREST: Final = 100

# Texts between two looks at whether to go on: a second and a half of work.
_BATCH: Final = 64

# E5 reads 512 tokens at once; the rest of a description says little more.
_MAX_CHARS: Final = 1_200


class SemanticIndex:
    """Documents, searched by words until their vectors are there, and by both from then on.

    Neither `fill` nor `search` belongs on an event loop; both may be called in threads.
    """

    def __init__(
        self, documents: Mapping[str, Document], embedder: Embedder, cache: VectorCache
    ) -> None:
        self._words = Index(documents)
        self._documents = dict(documents)
        self._embedder = embedder
        self._cache = cache
        self._keys: tuple[str, ...] = ()
        self._matrix: Vectors | None = None

    @property
    def is_filled(self) -> bool:
        return self._matrix is not None

    def fill(self, *, is_cancelled: Callable[[], bool] = lambda: False) -> None:
        """Embed what no cache knows. What was done before a cancellation is kept.

        Args:
            is_cancelled: Asked between batches.
        """
        texts = {key: _text(document) for key, document in self._documents.items()}
        vectors = self._cache.read(self._embedder.model, list(texts.values()))
        missing = list(dict.fromkeys(text for text in texts.values() if text not in vectors))
        for batch in _batches(missing):
            if is_cancelled():
                return
            made = dict(zip(batch, self._embedder.passages(batch), strict=True))
            self._cache.write(self._embedder.model, made)
            vectors |= made
        if texts:
            matrix = np.stack([vectors[text] for text in texts.values()])
            self._keys, self._matrix = tuple(texts), matrix

    def search(
        self,
        query: str,
        *,
        limit: int,
        namespace: str | None = None,
        among: Callable[[str], bool] | None = None,
    ) -> Found:
        """As `Index.search`. Nothing is embedded but the query."""
        may = self._allowed(namespace, among)
        found = self._words.search(
            query, limit=max(limit, _NEAREST), namespace=namespace, among=among
        )
        matrix = self._matrix
        if matrix is None:
            return Found(found.matches[:limit], found.total)
        near = self._near(matrix, query, may)
        by_words = {match.key: match for match in found.matches}
        strongest = max((match.score for match in found.matches if match.score < NAMED), default=1)
        matches = [
            _joined(key, by_words.get(key), near.get(key, 0.0), strongest)
            for key in {**by_words, **near}
        ]
        matches.sort(key=lambda match: (-match.score, match.key))
        return Found(tuple(matches[:limit]), max(found.total, len(matches)))

    def _allowed(
        self, namespace: str | None, among: Callable[[str], bool] | None
    ) -> Callable[[str], bool]:
        def may(key: str) -> bool:
            is_in = namespace is None or self._documents[key].namespace == namespace
            return is_in and (among is None or among(key))

        return may

    def _near(self, matrix: Vectors, query: str, may: Callable[[str], bool]) -> dict[str, float]:
        """The nearest documents with 1 for the nearest and 0 for the last of them."""
        similar = matrix @ self._embedder.query(query)
        order = [at for at in np.argsort(-similar, kind="stable") if may(self._keys[at])]
        nearest = order[:_NEAREST]
        if not nearest:
            return {}
        top, bottom = float(similar[nearest[0]]), float(similar[nearest[-1]])
        spread = top - bottom or 1.0
        return {self._keys[at]: (float(similar[at]) - bottom) / spread for at in nearest}


def _joined(key: str, match: Match | None, near: float, strongest: float) -> Match:
    if match is None:
        return Match(key, _MEANING * near, is_weak=True)
    if match.score >= NAMED:
        return match
    score = (1 - _MEANING) * match.score / strongest + _MEANING * near
    return Match(key, score, match.is_weak)


def _batches(texts: list[str]) -> Iterator[list[str]]:
    return (texts[at : at + _BATCH] for at in range(0, len(texts), _BATCH))


def _text(document: Document) -> str:
    name = " ".join(filter(None, [document.namespace, document.name]))
    told = [f"{name}: {document.description}", document.namespace_description]
    return ". ".join(filter(None, [*told, document.parameters]))[:_MAX_CHARS]
