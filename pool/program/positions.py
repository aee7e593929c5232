"""Lines and columns of JavaScript text, as V8 counts them.

A line ends at LF, CR, CRLF, U+2028 or U+2029. Lines and columns count from 1, columns in UTF-16
units. Offsets are indices of a Python string. Text that is taken out of a source is replaced by
blanks of the same UTF-16 length, so positions before and after are those of the caller's text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Final

# Members of character classes, for the patterns of this room.
LINE_ENDS: Final = r"\n\r\u2028\u2029"
WHITE_SPACE: Final = r"\t\v\f \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\ufeff"

# Prefix of patterns that match from the start of a line on, whatever white space comes first.
LINE_START: Final = rf"(?:\A|(?<=[{LINE_ENDS}]))[{WHITE_SPACE}]*+"

_LINE_END: Final = re.compile(rf"\r\n|[{LINE_ENDS}]")
_VISIBLE: Final = re.compile(rf"[^{LINE_ENDS}{WHITE_SPACE}]")
_WITHIN_LINE: Final = re.compile(rf"[^{LINE_ENDS}]")
_BEYOND_BMP: Final = re.compile(r"[\U00010000-\U0010ffff]")
_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")


class Lines:
    """The lines of one text, found once and then looked up in logarithmic time."""

    __slots__ = ("_starts", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts = [0, *(end.end() for end in _LINE_END.finditer(text))]

    def __len__(self) -> int:
        return len(self._starts)

    def __getitem__(self, line: int) -> str:
        """Text of a line that exists, without its line end."""
        start = self._starts[line - 1]
        end = _LINE_END.search(self.text, start)
        return self.text[start : end.start() if end else len(self.text)]

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset."""
        line = bisect_right(self._starts, offset)
        return line, utf16_length(self.text[self._starts[line - 1] : offset]) + 1


def line_end(text: str, offset: int) -> int:
    """Offset at which the line that holds `offset` ends, before its line end."""
    end = _LINE_END.search(text, offset)
    return end.start() if end else len(text)


def next_line(text: str, offset: int) -> int:
    """Offset at which the line after the one that holds `offset` begins."""
    end = _LINE_END.search(text, offset)
    return end.end() if end else len(text)


def white_space_before(text: str, offset: int) -> int:
    """Offset at which the white space and line ends that reach up to `offset` begin."""
    while offset > 0 and _VISIBLE.match(text, offset - 1) is None:
        offset -= 1
    return offset


def begins_line(text: str, offset: int) -> bool:
    """Whether only white space stands before `offset` on its line."""
    start = white_space_before(text, offset)
    return start == 0 or _LINE_END.search(text, start, offset) is not None


def is_blank(text: str) -> bool:
    """Whether there is nothing but JavaScript white space and line ends."""
    return _VISIBLE.search(text) is None


def blanked(text: str) -> str:
    """Spaces in place of everything but line ends; as many UTF-16 units as before."""
    return _WITHIN_LINE.sub(lambda char: " " * utf16_length(char[0]), text)


def utf16_length(text: str) -> int:
    """How many UTF-16 units a text has: the `length` of the same string in JavaScript."""
    if text.isascii():
        return len(text)
    return len(text) + sum(1 for _ in _BEYOND_BMP.finditer(text))


def well_formed(text: str) -> str:
    """The text with surrogate pairs joined and each lone surrogate replaced by U+FFFD."""
    if _SURROGATE.search(text) is None:
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
