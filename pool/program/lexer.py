"""JavaScript text cut into comments, templates and other code.

Just enough to know what stands inside a comment, string, template or regular expression; the
parser of the worker decides what is a program. Broken code and prose never raise: an unfinished
string or regular expression ends with its line, an unfinished template with the text. Time is
linear in the length of any input, and nearly all of it is spent inside `re`.

A `/` begins a regular expression unless a value stands before it. After `}`, and after the head
of an `if`, that is a guess; a wrong one costs the rest of one line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum, auto
from typing import Final, NamedTuple

from pool.program.positions import LINE_ENDS, WHITE_SPACE, white_space_before


class TokenKind(Enum):
    LINE_COMMENT = auto()
    BLOCK_COMMENT = auto()
    TEMPLATE = auto()
    REGEX = auto()
    CODE = auto()


COMMENTS: Final = frozenset({TokenKind.LINE_COMMENT, TokenKind.BLOCK_COMMENT})


class Token(NamedTuple):
    """A piece of text; only white space lies between two pieces.

    A template with substitutions is several: TEMPLATE up to the first `${`, CODE, TEMPLATE from `}`
    on, and so forth.
    """

    kind: TokenKind
    start: int
    end: int


def _pieces(special: str) -> re.Pattern[str]:
    """The next piece, where `special` characters and what may follow them need care."""
    return re.compile(
        rf"""
          (?P<white> [{WHITE_SPACE}{LINE_ENDS}]++ )
        | (?P<line>  //[^{LINE_ENDS}]*+ )
        | (?P<block> /\* )
        | (?P<code>  (?: [^{special}"']++
                       | "(?:[^"\\\r\n]|\\(?:\r\n|[\s\S]))*+"?+
                       | '(?:[^'\\\r\n]|\\(?:\r\n|[\s\S]))*+'?+ )++ )
        | (?P<mark>  [\s\S] )
        """,
        re.VERBOSE,
    )


_OUTSIDE: Final = _pieces("/`")
_IN_SUBSTITUTION: Final = _pieces("/`{}")
_TEMPLATE_TEXT: Final = re.compile(r"(?:[^`\\$]++|\\[\s\S]|\$(?!\{))*+(?P<end>`|\$\{)?+")
_CLASS: Final = rf"\[(?:[^\]\\{LINE_ENDS}]|\\[^{LINE_ENDS}])*+\]?+"
_REGEX: Final = re.compile(rf"/(?:[^/\\\[{LINE_ENDS}]|\\[^{LINE_ENDS}]|{_CLASS})*+(?:/\w*+)?+")

_LAST_WORD: Final = re.compile(r"[\w$]++\Z")
_BEFORE_REGEX: Final = frozenset(
    "await case delete do else in instanceof new of return throw typeof void yield".split()
)
# The longest of them, and one character more to tell a longer word or a dot before it.
_LOOK_BACK: Final = max(map(len, _BEFORE_REGEX)) + 1


def tokens(text: str, start: int = 0) -> Iterator[Token]:
    """The pieces of `text` from an offset at which code begins."""
    return _Lexer(text).run(start)


class _Lexer:
    """State of one pass: which templates are open, and whether a value has just ended."""

    __slots__ = ("_depths", "_last_block_end", "_text", "_value_end")

    def __init__(self, text: str) -> None:
        self._text = text
        # For each open substitution, how many braces are open inside it.
        self._depths: list[int] = []
        # Where the last code ended; None after an operator and at the start.
        self._value_end: int | None = None
        # Known once: else each of many unfinished comments is searched to the end of the text.
        self._last_block_end = text.rfind("*/")

    def run(self, offset: int) -> Iterator[Token]:
        while offset < len(self._text):
            piece = (_IN_SUBSTITUTION if self._depths else _OUTSIDE).match(self._text, offset)
            assert piece is not None, "the last alternative matches any character"
            if piece.lastgroup == "white":
                offset = piece.end()
                continue
            kind, end = self._read(piece)
            yield Token(kind, offset, end)
            offset = end

    def _read(self, piece: re.Match[str]) -> tuple[TokenKind, int]:
        start, end = piece.span()
        if piece.lastgroup == "line":
            return TokenKind.LINE_COMMENT, end
        if piece.lastgroup == "block" and self._last_block_end >= end:
            return TokenKind.BLOCK_COMMENT, self._text.index("*/", end) + 2
        if piece.lastgroup == "code":
            self._value_end = end
            return TokenKind.CODE, end
        return self._read_mark(self._text[start], start)

    def _read_mark(self, mark: str, start: int) -> tuple[TokenKind, int]:
        if mark == "`":
            return TokenKind.TEMPLATE, self._read_template(start + 1)
        if mark == "/":
            return self._read_slash(start)
        if mark == "}" and self._depths[-1] == 0:
            self._depths.pop()
            return TokenKind.TEMPLATE, self._read_template(start + 1)
        self._depths[-1] += 1 if mark == "{" else -1
        self._value_end = None
        return TokenKind.CODE, start + 1

    def _read_template(self, start: int) -> int:
        """Read text of a template up to its end or to the next `${`."""
        found = _TEMPLATE_TEXT.match(self._text, start)
        assert found is not None, "the pattern matches the empty text"
        if found["end"] == "${":
            self._depths.append(0)
            self._value_end = None
        else:
            self._value_end = found.end()
        return found.end()

    def _read_slash(self, start: int) -> tuple[TokenKind, int]:
        """Read a regular expression, or a slash that divides."""
        if self._follows_value():
            self._value_end = None
            return TokenKind.CODE, start + 1
        found = _REGEX.match(self._text, start)
        assert found is not None, "the pattern matches a single slash"
        self._value_end = found.end()
        return TokenKind.REGEX, found.end()

    def _follows_value(self) -> bool:
        if self._value_end is None:
            return False
        end = white_space_before(self._text, self._value_end)
        before = self._text[max(0, end - _LOOK_BACK) : end]
        word = _LAST_WORD.search(before)
        if word is not None:
            return before[: word.start()].endswith(".") or word[0] not in _BEFORE_REGEX
        return before.endswith((")", "]", '"', "'", "`", "/", "++", "--"))
