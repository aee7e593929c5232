"""Ranks tools by words: which of them does a query mean?

BM25 over weighted fields, with exact names above everything else. Plain text in, order out; what
may be found at all is decided before, by what is put into an `Index`.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

# How much a field says about what a tool is for, and how strongly its length dilutes that.
_WEIGHTS: Final = {"name": 2.0, "namespace": 6.0, "description": 1.0, "parameters": 1.2}
_DILUTION: Final = {"name": 0.8, "namespace": 0.5, "description": 0.6, "parameters": 0.6}

# Saturation of repeated words. Above the usual 1.2 to 2: descriptions of tools are short.
_SATURATION: Final = 3.0

# Words that nearly every question contains and no tool is about.
_STOP_WORDS: Final = frozenset(
    "a an and are at by can do for from how i in is it me my of on or that the this to us use "
    "want we what which with you".split()
)

# Above any sum of word scores: who names a tool exactly gets it first.
_EXACT: Final = 2e6
_NAMED: Final = 1e6

_HUMPS: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORDS: Final = re.compile(r"[^\W_]+")
_UNSPACED: Final = re.compile(
    "([\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\U00020000-\U0003ffff]+)"
)


@dataclass(frozen=True, slots=True)
class Document:
    """What is known about one tool, as text."""

    name: str
    namespace: str
    description: str
    parameters: str


class Index:
    """Documents, ready to be searched. Results are positions in `documents`."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self._size = len(documents)
        self._weights = _weights(documents)
        self._holding: dict[str, list[int]] = defaultdict(list)
        self._named: dict[str, list[int]] = defaultdict(list)
        for at, document in enumerate(documents):
            for word in self._weights[at]:
                self._holding[word].append(at)
            for name in {_bare(document.name), _bare(document.namespace + document.name)}:
                self._named[name].append(at)

    def search(self, query: str) -> list[int]:
        """Positions of the documents that match, best first; equal ones in their own order."""
        scores = self._word_scores(query)
        for named in {_bare(part) for part in query.split() if _is_name(part)}:
            for at in self._named.get(named, ()):
                scores[at] += _NAMED
        for at in self._named.get(_bare(query), ()):
            scores[at] += _EXACT
        return sorted(scores, key=lambda at: (-scores[at], at))

    def _word_scores(self, query: str) -> dict[int, float]:
        terms = set(words(query))
        rarity = {term: self._rarity(term) for term in terms - _STOP_WORDS or terms}
        scores: dict[int, float] = defaultdict(float)
        met: dict[int, float] = defaultdict(float)
        for term, weight in rarity.items():
            for at in self._holding.get(term, ()):
                times = self._weights[at][term]
                scores[at] += weight * times * (_SATURATION + 1) / (_SATURATION + times)
                met[at] += weight
        total = sum(rarity.values())
        for at in scores:
            # Two words met once each say more than one word met twice.
            scores[at] *= (1 + met[at] / total) / 2
        return scores

    def _rarity(self, term: str) -> float:
        found = len(self._holding.get(term, ()))
        return math.log(1 + (self._size - found + 0.5) / (found + 0.5))


def _weights(documents: Sequence[Document]) -> list[dict[str, float]]:
    """Per document, each of its words with its weighted frequency over all fields."""
    weights: list[dict[str, float]] = [{} for _ in documents]
    for field, weight in _WEIGHTS.items():
        counters = [Counter(words(getattr(document, field))) for document in documents]
        average = sum(map(Counter.total, counters)) / max(len(counters), 1) or 1.0
        for found, counter in zip(weights, counters, strict=True):
            dilution = 1 + _DILUTION[field] * (counter.total() / average - 1)
            for word, times in counter.items():
                found[word] = found.get(word, 0.0) + weight * times / dilution
    return weights


def words(text: str) -> list[str]:
    """Lower-case words of a text: camelCase, snake_case and kebab-case are split, plurals folded,
    scripts without spaces become pairs of characters."""
    found = []
    for word in _WORDS.findall(_HUMPS.sub(" ", text)):
        for piece in filter(None, _UNSPACED.split(word.casefold())):
            found += _pairs(piece) if _UNSPACED.match(piece) else [_singular(piece)]
    return found


def _pairs(text: str) -> list[str]:
    return [text[at : at + 2] for at in range(len(text) - 1)] or [text]


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    if len(word) > 3 and word.endswith(("ches", "shes", "sses", "xes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _bare(name: str) -> str:
    """A name without punctuation and case: `read_file`, `readFile` and `Read file` are one."""
    return "".join(_WORDS.findall(name)).casefold()


def _is_name(part: str) -> bool:
    """Whether a word of a query is spelled like an identifier and not like prose."""
    part = part.strip("`'\".,;:?!()")
    return bool(re.search(r"\w[_.-]\w|_|[a-z][A-Z]", part))
