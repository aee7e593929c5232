"""JavaScript text cut into comments, template starts and other code.

Just enough to know what stands inside a comment, string, template or regular expression; the
parser of the worker decides what is a program. Broken code and prose never raise: an unfinished
string or regular expression ends with its line, an unfinished template with the text. Time is
linear in the length of any input.

A `/` begins a regular expression unless a value stands before it. After `}` that is a guess; a
wrong one costs the rest of one line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum, auto
from typing import Final, NamedTuple

from pool.program.positions import LINE_ENDS, WHITE_SPACE


class TokenKind(Enum):
    LINE_COMMENT = auto()
    BLOCK_COMMENT = auto()
    TEMPLATE = auto()
    CODE = auto()


class Token(NamedTuple):
    """A piece of text; white space and line ends lie between the pieces.

    Attributes:
        is_first: Only white space stands before it on its line.
    """

    kind: TokenKind
    start: int
    end: int
    is_first: bool


_PIECE: Final = re.compile(
    rf"""
      (?P<white>   [{WHITE_SPACE}]++ )
    | (?P<newline> [{LINE_ENDS}]++ )
    | (?P<line>    (?://|<!--)[^{LINE_ENDS}]*+ )
    | (?P<arrow>   -->[^{LINE_ENDS}]*+ )
    | (?P<block>   /\* )
    | (?P<string>  "(?:[^"\\\r\n]|\\(?:\r\n|[\s\S]))*+"?+ | '(?:[^'\\\r\n]|\\(?:\r\n|[\s\S]))*+'?+ )
    | (?P<word>    [\w$]++ )
    | (?P<step>    \+\+ | -- )
    | (?P<mark>    [\s\S] )
    """,
    re.VERBOSE,
)
_REGEX: Final = re.compile(
    rf"/(?:[^/\\\[{LINE_ENDS}]|\\[^{LINE_ENDS}]|\[(?:[^\]\\{LINE_ENDS}]|\\[^{LINE_ENDS}])*+\]?+)*+/?+"
)
_TEMPLATE_TEXT: Final = re.compile(r"(?:[^`\\$]|\\[\s\S]|\$(?!\{))*+(?P<end>`|\$\{)?+")

_BEFORE_REGEX: Final = frozenset(
    "await case delete do else in instanceof new of return throw typeof void yield".split()
)
_BEFORE_HEAD: Final = frozenset("for if while with".split())


def tokens(text: str, start: int = 0) -> Iterator[Token]:
    """The pieces of `text` from an offset at which code begins."""
    return _Lexer(text).run(start)


class _Lexer:
    """State of one pass: what is open, and whether a value has just ended."""

    __slots__ = ("_follows_value", "_last_block_end", "_open", "_text", "_word")

    def __init__(self, text: str) -> None:
        self._text = text
        self._open: list[str] = []
        self._follows_value = False
        self._word = ""
        # Known once: else each of many unfinished comments is searched to the end of the text.
        self._last_block_end = text.rfind("*/")

    def run(self, offset: int) -> Iterator[Token]:
        is_first = True
        while (piece := _PIECE.match(self._text, offset)) is not None:
            start, offset = piece.span()
            group = piece.lastgroup
            if group == "newline":
                is_first = True
            elif group != "white":
                kind, offset = self._read(group, start, offset, is_first)
                yield Token(kind, start, offset, is_first)
                is_first = False

    def _read(
        self, group: str | None, start: int, end: int, is_first: bool
    ) -> tuple[TokenKind, int]:
        if group == "line" or (group == "arrow" and is_first):
            return TokenKind.LINE_COMMENT, end
        if group == "block" and self._last_block_end >= end:
            return TokenKind.BLOCK_COMMENT, self._text.index("*/", end) + 2
        if group == "arrow":
            end = start + 2
        elif group == "word":
            self._read_word(self._text[start:end])
        elif group == "string":
            self._end_value()
        elif group in ("mark", "block"):
            return self._read_mark(self._text[start], start)
        return TokenKind.CODE, end

    def _read_word(self, word: str) -> None:
        is_property = self._word == "."
        self._follows_value = is_property or word not in _BEFORE_REGEX
        self._word = "" if is_property else word

    def _read_mark(self, mark: str, start: int) -> tuple[TokenKind, int]:
        end = start + 1
        if mark == "`":
            return TokenKind.TEMPLATE, self._read_template(end)
        if mark == "/" and not self._follows_value:
            self._end_value()
            found = _REGEX.match(self._text, start)
            return TokenKind.CODE, found.end() if found else end
        if mark == "}" and self._open and self._open[-1] == "`":
            self._open.pop()
            return TokenKind.CODE, self._read_template(end)
        self._follows_value = self._bracket(mark)
        self._word = mark
        return TokenKind.CODE, end

    def _bracket(self, mark: str) -> bool:
        """Keep account of brackets; whether `mark` ends a value."""
        if mark == "(":
            self._open.append("head" if self._word in _BEFORE_HEAD else "(")
        elif mark == "{":
            self._open.append("{")
        elif mark == "}" and self._open and self._open[-1] == "{":
            self._open.pop()
        elif mark == ")" and self._open and self._open[-1] in ("(", "head"):
            return self._open.pop() == "("
        return mark in ")]"

    def _read_template(self, start: int) -> int:
        """Read text of a template up to its end or to the next `${`."""
        found = _TEMPLATE_TEXT.match(self._text, start)
        assert found is not None, "the pattern matches the empty text"
        if found["end"] == "${":
            self._open.append("`")
            self._follows_value, self._word = False, ""
        else:
            self._end_value()
        return found.end()

    def _end_value(self) -> None:
        self._follows_value = True
        self._word = ""
