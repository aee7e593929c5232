"""Text becomes words: the same for what is searched and for what is asked."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

# Words that nearly every question contains and no tool is about.
STOP_WORDS: Final = frozenset(
    "a an and are at by can do for from how i in is it me my of on or that the this to us use "
    "want we what which with you".split()
)

_HUMPS: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORDS: Final = re.compile(r"[^\W_]+")
UNSPACED: Final = re.compile(
    "([\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\U00020000-\U0003ffff]+)"
)


def words(text: str) -> list[str]:
    """Lower-case words of a text: camelCase, snake_case and kebab-case are split, plurals folded,
    scripts without spaces become pairs of characters."""
    found = []
    for word in _WORDS.findall(_HUMPS.sub(" ", text)):
        for piece in filter(None, UNSPACED.split(word.casefold())):
            found += _pairs(piece) if UNSPACED.match(piece) else [_singular(piece)]
    return found


def bare(name: str) -> str:
    """A name without punctuation and case: `read_file`, `readFile` and `Read file` are one."""
    return "".join(_WORDS.findall(name)).casefold()


def is_name(part: str) -> bool:
    """Whether a word of a query is spelled like an identifier and not like prose."""
    part = part.strip("`'\".,;:?!()")
    return bool(re.search(r"\w[_.-]\w|_|[a-z][A-Z]", part))


def _pairs(text: str) -> list[str]:
    return [text[at : at + 2] for at in range(len(text) - 1)] or [text]


@lru_cache(maxsize=1 << 14)
def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    if len(word) > 3 and word.endswith(("ches", "shes", "sses", "xes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word
