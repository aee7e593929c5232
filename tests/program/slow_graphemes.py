"""Characters as a reader sees them, by the letter of UAX #29 (Unicode 15.1, table 1b and 1c).

Slow, and for a small alphabet alone: each code point of it has its class written down here, and the
text of classes is parted by the regular expression of the standard. The other way round than
`pool.program.graphemes`, which looks at the two sides of one offset.
"""

from __future__ import annotations

import re

# One letter for each class: r CR, n LF, C control, e marks that may stand in a conjunct, l viramas,
# x other extending characters, z ZWJ, s spacing marks, p prepended signs, R regional indicators,
# L V T parts of Hangul syllables, W X syllables without and with a final, i pictographs,
# k Indic consonants, o the rest.
CLASSES = {
    "r": "\r",
    "n": "\n",
    "C": "\t\u0085\u200b\u2028",
    "e": "\u0301\u0323\u093c\u0951",
    "l": "\u094d\u09cd",
    "x": "\u200c\ufe0f\u20e3\uff9e🏽" + "".join(map(chr, range(0xE0061, 0xE0080))),
    "z": "\u200d",
    "s": "\u0903\u093f\u0940\u0e33",
    "p": "\u0600\u06dd\U000110bd",
    "R": "\U0001f1eb\U0001f1f7",
    "L": "\u1100\ua960",
    "V": "\u1161\ud7b0",
    "T": "\u11a8\ud7cb",
    "W": "가",
    "X": "각",
    "i": "👩👧👦👍❤🏳🌈🏴😀",
    "k": "कषनক",
    "o": "ae1é日 กｶ\u0661",
}
ALPHABET = "".join(CLASSES.values())

_CLASS_OF = {char: letter for letter, chars in CLASSES.items() for char in chars}
_CHARACTER = re.compile(
    r"""
      rn | [Crn]
    | p* (?: L*(?:V+|WV*|X)T* | L+ | T+          # a Hangul syllable
           | RR                                  # a flag
           | i(?:[exl]*zi)*                      # an emoji, joined to others or not
           | k(?:[elz]*l[elz]*k)+                # an Indic conjunct
           | [^Crn]
         )
         [exlzs]*
    """,
    re.VERBOSE,
)


def boundaries(text: str) -> set[int]:
    """Every offset at which a text of the alphabet may be cut."""
    classes = "".join(_CLASS_OF[char] for char in text)
    return {0, *(character.end() for character in _CHARACTER.finditer(classes))}
