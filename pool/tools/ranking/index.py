"""Documents, ready to be searched: BM25 over weighted fields, exact names above all else."""

from __future__ import annotations

import heapq
import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass
from typing import Final

from pool.tools.ranking.document import Document, weights
from pool.tools.ranking.typos import Neighbours
from pool.tools.ranking.vocabulary import inside, relatives
from pool.tools.ranking.words import STOP_WORDS, bare, is_name, words

# What a related or a misspelt word counts, where the document does not hold the word itself.
_RELATED: Final = 0.35
_MISSPELT: Final = 0.7

# For how well the words of a name and of the query agree (their F measure).
_NAME_BONUS: Final = 8.0

# Above any sum of word scores: who names tools gets these first, and the only one named above all.
_EXACT: Final = 2e6
NAMED: Final = 1e6

# Share of what was asked, by the rarity of its words, below which a match is only a guess.
_WEAK_COVERAGE: Final = 0.4

# The rarest words of a query. A question has some twenty; a page of text would take half a second.
_MAX_TERMS: Final = 64

# From so many found by rarer words on, a common word finds no more of them.
_CANDIDATES: Final = 500

_NOBODY: Final[frozenset[str]] = frozenset()
_NOTHING: Final[Mapping[str, float]] = {}


@dataclass(frozen=True, slots=True)
class Match:
    """A document that was found.

    Attributes:
        is_weak: It holds little of what was asked: a guess.
    """

    key: str
    score: float
    is_weak: bool


@dataclass(frozen=True, slots=True)
class Found:
    """What a query found, best first; equal ones by key.

    Attributes:
        total: How many documents matched at all; more than `matches` when a limit cut them.
    """

    matches: tuple[Match, ...]
    total: int


@dataclass(frozen=True, slots=True)
class _Term:
    """A word of a query.

    Attributes:
        spellings: The word and those that may stand for it, with what each counts; it comes first.
    """

    word: str
    rarity: float
    spellings: tuple[tuple[str, float], ...]


class Index:
    """A changing set of documents, each under a key."""

    def __init__(self, documents: Mapping[str, Document] | None = None) -> None:
        self._documents: dict[str, Document] = {}
        self._holding: defaultdict[str, dict[str, float]] = defaultdict(dict)
        self._in_name: defaultdict[str, set[str]] = defaultdict(set)
        self._named: defaultdict[str, set[str]] = defaultdict(set)
        self._name_words: dict[str, frozenset[str]] = {}
        self._neighbours = Neighbours()
        for key, document in (documents or {}).items():
            self.put(key, document)

    def put(self, key: str, document: Document) -> None:
        """Add a document, or replace the one under this key."""
        self.remove(key)
        self._documents[key] = document
        for word, weight in weights(document).items():
            self._holding[word][key] = weight
        self._name_words[key] = frozenset(words(document.name))
        for word in self._name_words[key]:
            if not self._in_name[word]:
                self._neighbours.add(word)
            self._in_name[word].add(key)
        for name in _names(document):
            self._named[name].add(key)

    def remove(self, key: str) -> None:
        """Take a document away; nothing happens when there is none."""
        document = self._documents.pop(key, None)
        if document is None:
            return
        for word in weights(document):
            _take(self._holding, word, key)
        for word in self._name_words.pop(key):
            _take(self._in_name, word, key)
            if word not in self._in_name:
                self._neighbours.remove(word)
        for name in _names(document):
            _take(self._named, name, key)

    def search(
        self,
        query: str,
        *,
        limit: int,
        namespace: str | None = None,
        among: Callable[[str], bool] | None = None,
    ) -> Found:
        """The documents that fit a query.

        Args:
            namespace: Only this group's; the words of its name then say nothing.
            among: Only documents with such keys; asked anew at each search.
        """
        terms = self._terms(query, words(namespace or ""))
        scores, coverage = self._word_scores(terms)
        for key, bonus in self._named_in(query):
            scores[key] = scores.get(key, 0.0) + bonus
            coverage[key] = 1.0
        keys = [
            key
            for key in scores
            if (namespace is None or self._documents[key].namespace == namespace)
            and (among is None or among(key))
        ]
        best = heapq.nsmallest(limit, keys, key=lambda key: (-scores[key], key))
        return Found(
            tuple(Match(key, scores[key], coverage[key] < _WEAK_COVERAGE) for key in best),
            len(keys),
        )

    def _named_in(self, query: str) -> Iterator[tuple[str, float]]:
        for named in {bare(part) for part in query.split() if is_name(part)}:
            for key in self._named.get(named, ()):
                # A single word that happens to be somebody's name is prose.
                if len(self._name_words[key]) > 1 or named != bare(self._documents[key].name):
                    yield key, NAMED
        for key in self._named.get(bare(query), ()):
            yield key, _EXACT

    def _terms(self, query: str, ignored: list[str]) -> list[_Term]:
        asked = set(words(query))
        told = asked - STOP_WORDS or asked
        told = told - set(ignored) or told
        meant = inside(query)
        terms = [self._term(word, told, meant.get(word, frozenset())) for word in sorted(told)]
        return heapq.nlargest(_MAX_TERMS, terms, key=lambda term: (term.rarity, term.word))

    def _term(self, word: str, told: Set[str], meant: frozenset[str]) -> _Term:
        rarity = self._rarity(word)
        known = {w for w in relatives(word) | meant if w in self._holding and w not in told}
        share = _RELATED
        if word not in self._holding:
            if not known:
                known, share = set(self._neighbours.of(word)), _MISSPELT
            # What nobody calls by this word is as rare as the words it is called by.
            rarity = max(map(self._rarity, known), default=rarity)
        others = [(other, share * min(rarity, self._rarity(other))) for other in known]
        others.sort(key=lambda pair: (-pair[1], pair[0]))
        return _Term(word, rarity, ((word, rarity), *others))

    def _rarity(self, word: str) -> float:
        held = len(self._holding.get(word, ()))
        return math.log(1 + (len(self._documents) - held + 0.5) / (held + 0.5))

    def _word_scores(self, terms: list[_Term]) -> tuple[dict[str, float], dict[str, float]]:
        """What each document scores for its words, and the share of the query it covers."""
        scores: defaultdict[str, float] = defaultdict(float)
        met: defaultdict[str, float] = defaultdict(float)
        in_name: defaultdict[str, float] = defaultdict(float)
        for term in terms:
            done: Set[str] = _NOBODY
            for word, share in term.spellings:
                held = self._holding.get(word, _NOTHING)
                # Common words rank what rarer ones have found; alone they say too little to look
                # at every document that holds them.
                keys = held.keys() & scores.keys() if len(scores) >= _CANDIDATES else held.keys()
                keys = keys - done if done else keys
                for key in keys:
                    scores[key] += share * held[key]
                    met[key] += share
                for key in keys & self._in_name.get(word, _NOBODY):
                    in_name[key] += share / term.rarity
                done = done | keys
        total = sum(term.rarity for term in terms) or 1.0
        for key, share in met.items():
            # Two words met once each say more than one word met twice.
            met[key] = share / total
            scores[key] *= (1 + met[key]) / 2
        for key, share in in_name.items():
            scores[key] += _NAME_BONUS * 2 * share / (len(self._name_words[key]) + len(terms))
        return scores, met


def _names(document: Document) -> set[str]:
    """Everything a query may call it by, without punctuation and case."""
    spelled = [document.name, *document.aliases]
    return {bare(name) for name in spelled} | {bare(document.namespace + name) for name in spelled}


def _take(holders: dict[str, dict[str, float]] | dict[str, set[str]], word: str, key: str) -> None:
    held = holders[word]
    if isinstance(held, dict):
        del held[key]
    else:
        held.discard(key)
    if not held:
        del holders[word]
