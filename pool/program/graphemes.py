"""Where a text may be cut without breaking what a reader sees as one character.

An approximation of UAX #29 on the tables of Python: every boundary found here is a boundary there
(within the Unicode version of those tables), but not the other way round. It may join more than
needed, as in a conjunct of an Indic script; it never parts an emoji from its modifiers, a flag, a
letter from its accents, or CR from LF.

Looking for a boundary ends after `MAX_CLUSTER_CHARS`, so it takes no longer in a hostile text.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

# The longest emoji has about ten, Unicode's stream-safe texts have at most 30 marks in a row. More
# is nothing that anybody reads as one character, and is cut where it has to be.
MAX_CLUSTER_CHARS: Final = 256

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

_REGIONALS: Final = "".join(map(chr, range(0x1F1E6, 0x1F200)))


def boundary_before(text: str, offset: int) -> int:
    """The last boundary that is not after `offset`; `offset` itself when none is near."""
    near = range(offset, max(offset - MAX_CLUSTER_CHARS, 0) - 1, -1)
    return next((at for at in near if is_boundary(text, at)), offset)


def boundary_after(text: str, offset: int) -> int:
    """The first boundary that is not before `offset`; `offset` itself when none is near."""
    near = range(offset, min(offset + MAX_CLUSTER_CHARS, len(text)) + 1)
    return next((at for at in near if is_boundary(text, at)), offset)


def is_boundary(text: str, offset: int) -> bool:
    """Whether a cut in front of `text[offset]` breaks nothing."""
    if offset <= 0 or offset >= len(text):
        return True
    before, after = text[offset - 1], text[offset]
    if before.isascii() and after.isascii():
        return not (before == "\r" and after == "\n")
    if _is_control(before) or _is_control(after):
        return True
    if _extends(after) or _reaches_over(text, offset) or _joins_hangul(before, after):
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


def _reaches_over(text: str, offset: int) -> bool:
    """Whether what stands before `offset` binds what follows: joiners, viramas, prepended signs."""
    before = text[offset - 1]
    if before == _ZWJ or _PREPENDED.match(before):
        return True
    # Other marks may stand between a virama and the consonant that it binds.
    for at in range(offset - 1, max(offset - MAX_CLUSTER_CHARS, 0) - 1, -1):
        if unicodedata.combining(text[at]) == _VIRAMA_CLASS:
            return True
        if not _extends(text[at]):
            return False
    return False


def _joins_hangul(before: str, after: str) -> bool:
    if _LEADING.match(before):
        return bool(_LEADING.match(after) or _JOINING.match(after) or _SYLLABLE.match(after))
    return bool((_JOINING.match(before) or _SYLLABLE.match(before)) and _JOINING.match(after))


def _is_regional(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _regionals_before(text: str, offset: int) -> int:
    """How many letters of flags stand right before `offset`; two make one flag."""
    return offset - len(text[:offset].rstrip(_REGIONALS))
