"""Which brackets of a source have no partner, and which text in quotes has no end.

A reader of broken code can only guess; what it finds first is most often what was forgotten.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from pool.program.lexer import TokenKind, tokens

_CLOSING: Final = {"(": ")", "[": "]", "{": "}"}
_SUBSTITUTION: Final = "${"
_PIECE: Final = re.compile(
    r"""
      (?P<text> "(?:[^"\\\r\n]|\\(?:\r\n|[\s\S]))*+(?P<end>"?+)
              | '(?:[^'\\\r\n]|\\(?:\r\n|[\s\S]))*+(?P<stop>'?+) )
    | (?P<bracket> [()\[\]{}] )
    """,
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Findings:
    """Offsets in the source; None for what is in order.

    Attributes:
        opened: The innermost bracket that is open where another closes, or at the end.
        closed: The closing bracket that does not fit `opened`, or has no opening one at all.
        text: The first quote of a text that does not end on its line.
        template: The backtick of a template that does not end.
    """

    opened: int | None = None
    closed: int | None = None
    text: int | None = None
    template: int | None = None


def find_unmatched(source: str) -> Findings:
    """The first thing without a partner. Time is linear in the length of the source."""
    open_brackets: list[int] = []
    open_templates: list[int] = []
    text: int | None = None
    for token in tokens(source):
        if token.kind is TokenKind.TEMPLATE:
            if source.startswith("`", token.start):
                open_templates.append(token.start)
            if not source.endswith(_SUBSTITUTION, token.start, token.end):
                is_ended = source.endswith("`", token.start + 1, token.end)
                start = open_templates.pop()
                if not is_ended:
                    return Findings(text=text, template=start)
        if token.kind is not TokenKind.CODE:
            continue
        for piece in _PIECE.finditer(source, token.start, token.end):
            if piece["text"] is not None:
                is_ended = bool(piece["end"] or piece["stop"])
                text = piece.start() if text is None and not is_ended else text
            elif piece["bracket"] in _CLOSING:
                open_brackets.append(piece.start())
            elif open_brackets and _CLOSING[source[open_brackets[-1]]] == piece["bracket"]:
                open_brackets.pop()
            else:
                opened = open_brackets[-1] if open_brackets else None
                return Findings(opened=opened, closed=piece.start(), text=text)
    return Findings(
        opened=open_brackets[-1] if open_brackets else None,
        text=text,
        template=open_templates[-1] if open_templates else None,
    )
