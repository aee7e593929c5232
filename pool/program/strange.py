"""Characters that no JavaScript has outside of its texts, found without a parser."""

from __future__ import annotations

import re
from typing import Final

from pool.program.lexer import TokenKind, tokens

# Of English, German and French, single and double.
TYPOGRAPHIC_QUOTES: Final = (
    "\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u00ab\u00bb\u2039\u203a"
)
# It begins a decorator.
_AT: Final = "@"

_PIECE: Final = re.compile(
    rf"""
      "(?:[^"\\\r\n]|\\(?:\r\n|[\s\S]))*+"?+
    | '(?:[^'\\\r\n]|\\(?:\r\n|[\s\S]))*+'?+
    | (?P<strange> [{_AT}{TYPOGRAPHIC_QUOTES}] )
    """,
    re.VERBOSE,
)


def first_strange(source: str) -> int | None:
    """Offset of the first `@` or typographic quote that is code. Time is linear."""
    for token in tokens(source):
        if token.kind is not TokenKind.CODE:
            continue
        for piece in _PIECE.finditer(source, token.start, token.end):
            if piece["strange"]:
                return piece.start()
    return None
