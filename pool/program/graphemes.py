"""Where a text may be cut without breaking what a reader sees as one character.

An approximation of UAX #29 on the tables of Python: every boundary found here is a boundary there
(within the Unicode version of those tables), but not the other way round. It may join more than
needed, as in a conjunct of an Indic script; it never parts an emoji from its modifiers, a flag, a
letter from its accents, or CR from LF.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_ZWJ: Final = "\u200d"
_ZWNJ: Final = "\u200c"
_VIRAMA_CLASS: Final = 9

# Extending characters that are letters by category: Thai and Lao AM, half-width sound marks.
_EXTENDING_LETTERS: Final = "\u0e33\u0eb3\uff9e\uff9f"

# UAX #29, Prepend: signs that belong to what follows them.
_PREPENDED: Final = re.compile(
    "[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u0d4e\U000110bd\U000110cd\U000111c2\U000111c3"
    "\U0001193f\U00011941\U00011a3a\U00011a84-\U00011a89\U00011d46\U00011f02]"
)

# Hangul syllables are built of leading consonants, vowels and trailing consonants.
_LEADING: Final = re.compile("[\u1100-\u115f\ua960-\ua97c]")
_JOINING: Final = re.compile("[\u1160-\u11ff\ud7b0-\ud7fb]")
_SYLLABLE: Final = re.compile("[\uac00-\ud7a3]")


def boundary_before(text: str, offset: int) -> int:
    """The last boundary that is not after `offset`."""
    offset = min(offset, len(text))
    while not is_boundary(text, offset):
        offset -= 1
    return offset


def boundary_after(text: str, offset: int) -> int:
    """The first boundary that is not before `offset`."""
    offset = max(offset, 0)
    while not is_boundary(text, offset):
        offset += 1
    return offset


def is_boundary(text: str, offset: int) -> bool:
    """Whether a cut in front of `text[offset]` breaks nothing."""
    if offset <= 0 or offset >= len(text):
        return True
    before, after = text[offset - 1], text[offset]
    if before.isascii() and after.isascii():
        return not (before == "\r" and after == "\n")
    if _is_control(before) or _is_control(after):
        return True
    if _extends(after) or _reaches_over(before) or _joins_hangul(before, after):
        return False
    if _is_regional(before) and _is_regional(after):
        return _regionals_before(text, offset) % 2 == 0
    return True


def _is_control(char: str) -> bool:
    return unicodedata.category(char) in ("Cc", "Zl", "Zp")


def _extends(char: str) -> bool:
    """Marks, joiners, variation selectors, skin tones, and tags of subdivision flags."""
    if unicodedata.category(char) in ("Mn", "Me", "Mc") or char in (_ZWJ, _ZWNJ):
        return True
    is_emoji_part = "\U0001f3fb" <= char <= "\U0001f3ff" or "\U000e0020" <= char <= "\U000e007f"
    return is_emoji_part or char in _EXTENDING_LETTERS


def _reaches_over(char: str) -> bool:
    """Whether it binds what follows: joiners, viramas, prepended signs."""
    is_virama = unicodedata.combining(char) == _VIRAMA_CLASS
    return char == _ZWJ or is_virama or _PREPENDED.match(char) is not None


def _joins_hangul(before: str, after: str) -> bool:
    if _LEADING.match(before):
        return bool(_LEADING.match(after) or _JOINING.match(after) or _SYLLABLE.match(after))
    return bool((_JOINING.match(before) or _SYLLABLE.match(before)) and _JOINING.match(after))


def _is_regional(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _regionals_before(text: str, offset: int) -> int:
    """How many letters of flags stand right before `offset`; two make one flag."""
    start = offset
    while start > 0 and _is_regional(text[start - 1]):
        start -= 1
    return offset - start
