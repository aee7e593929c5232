"""Words that mean nearly the same where tools are concerned, in English and from other languages.

General vocabulary in `related.txt` and `glossary.txt`, written by hand: no list of queries stands
behind it. A word of a query counts for its relatives too, at a discount, where a document does not
hold the word itself.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import files
from typing import Final

from pool.tools.ranking.words import UNSPACED, words


def relatives(term: str) -> frozenset[str]:
    """Words that may stand for `term`, which is one of `words`."""
    return _RELATED.get(term, _NONE) | _SPACED.get(term, _NONE)


def inside(query: str) -> Mapping[str, frozenset[str]]:
    """What is meant by words of scripts without spaces, by the first of the pairs they become."""
    if not UNSPACED.search(query):
        return {}
    folded = query.casefold()
    return {word[:2]: meant for word, meant in _UNSPACED.items() if word in folded}


def _lines(name: str) -> Iterator[str]:
    text = files(__package__).joinpath(name).read_text(encoding="utf-8")
    return (line for line in text.splitlines() if line and not line.startswith("#"))


def _groups(lines: Iterable[str]) -> Mapping[str, frozenset[str]]:
    related: defaultdict[str, set[str]] = defaultdict(set)
    for group in map(words, lines):
        for word in group:
            related[word].update(group)
    return {word: frozenset(group - {word}) for word, group in related.items()}


def _meanings(lines: Iterable[str]) -> Mapping[str, frozenset[str]]:
    """English words by foreign ones: pairs of characters and more, or single words."""
    meanings: defaultdict[str, set[str]] = defaultdict(set)
    for line in lines:
        concept, _, foreign = line.partition(":")
        for word in foreign.casefold().split():
            if not UNSPACED.search(word):
                meanings[words(word)[0]].update(words(concept))
            elif len(word) > 1:
                meanings[word].update(words(concept))
    return {word: frozenset(meant) for word, meant in meanings.items()}


_NONE: Final[frozenset[str]] = frozenset()
_RELATED: Final = _groups(_lines("related.txt"))
_FOREIGN: Final = _meanings(_lines("glossary.txt"))
_SPACED: Final = {word: meant for word, meant in _FOREIGN.items() if not UNSPACED.search(word)}
_UNSPACED: Final = {word: meant for word, meant in _FOREIGN.items() if UNSPACED.search(word)}
