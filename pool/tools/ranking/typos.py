"""Words that differ from a misspelt one by a letter.

Every word is filed under itself with one letter left out. Two words with a missing, an additional,
a wrong or two swapped letters meet there, and none of the other words is looked at.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Final

# Shorter words have too many neighbours to tell which of them was meant.
MIN_LETTERS: Final = 4

# Longer ones are no words; their shortened forms would fill the memory.
_MAX_LETTERS: Final = 32


class Neighbours:
    """Words, found by misspelt ones. Each word is there once, however often it was added."""

    def __init__(self) -> None:
        self._filed: defaultdict[str, set[str]] = defaultdict(set)

    def add(self, word: str) -> None:
        for key in _keys(word):
            self._filed[key].add(word)

    def remove(self, word: str) -> None:
        for key in _keys(word):
            self._filed[key].discard(word)
            if not self._filed[key]:
                del self._filed[key]

    def of(self, word: str) -> frozenset[str]:
        """The words next to `word`, without itself."""
        empty: frozenset[str] = frozenset()
        return empty.union(*(self._filed.get(key, empty) for key in _keys(word))) - {word}


def _keys(word: str) -> Iterator[str]:
    if MIN_LETTERS <= len(word) <= _MAX_LETTERS:
        yield word
        for at in range(len(word)):
            yield word[:at] + word[at + 1 :]
