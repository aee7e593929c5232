"""Where the code of a source lies: between leading comments and what may trail a last statement.

The worker tries a source as an expression, and for that a semicolon behind it has to go; only a
reader of the whole text knows whether `; // done` at the end is code or part of a string.
"""

from __future__ import annotations

import re
from typing import Final

from pool.program.lexer import COMMENTS, tokens
from pool.program.positions import LINE_ENDS, WHITE_SPACE, utf16_length, white_space_before

_LEADING: Final = re.compile(
    rf"(?: [{WHITE_SPACE}{LINE_ENDS}]++ | //[^{LINE_ENDS}]*+ | /\*(?:[^*]++|\*(?!/))*+\*/ )*+",
    re.VERBOSE,
)
_NO_CODE: Final = re.compile(rf"[;{WHITE_SPACE}{LINE_ENDS}]*+")


def code_span(text: str) -> tuple[int, int]:
    """Offsets in UTF-16 units between which there is code.

    White space and comments around it are outside, and the semicolons behind it. Without any code
    both are the same.
    """
    leading = _LEADING.match(text)
    assert leading is not None, "the pattern matches the empty text"
    start = leading.end()
    end = max(start, _end(text))
    return utf16_length(text[:start]), utf16_length(text[:end])


def _end(text: str) -> int:
    end = _before_semicolons(text, len(text))
    if not _may_end_in_comment(text, end):
        return end
    last = 0
    for token in tokens(text):
        if token.kind not in COMMENTS and _NO_CODE.fullmatch(text, token.start, token.end) is None:
            last = token.end
    return _before_semicolons(text, last)


def _before_semicolons(text: str, offset: int) -> int:
    """Offset at which the semicolons and white space begin that reach up to `offset`."""
    offset = white_space_before(text, offset)
    while offset > 0 and text[offset - 1] == ";":
        offset = white_space_before(text, offset - 1)
    return offset


def _may_end_in_comment(text: str, end: int) -> bool:
    line = max(text.rfind(char, 0, end) for char in "\n\r\u2028\u2029") + 1
    return text.find("//", line, end) >= 0 or text.endswith("*/", 0, end)
