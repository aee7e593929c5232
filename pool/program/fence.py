"""Recovery of a program that stands in a Markdown fence, with or without prose around it.

A fence counts only where JavaScript would see code: three backticks at the start of a line inside
a comment or template are the program's own. Everything outside the block becomes blanks, so the
program keeps its lines and columns. Several blocks of JavaScript are refused, not guessed among.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from pool.errors import SourceRefused
from pool.program.lexer import TokenKind, tokens
from pool.program.positions import LINE_ENDS, WHITE_SPACE, Lines, blanked, is_blank, next_line

# "" is a fence without a language.
LANGUAGES: Final = frozenset({"", "js", "javascript", "ts", "typescript"})

_TICKS: Final = "```"
_LINE_START: Final = rf"(?:\A|(?<=[{LINE_ENDS}]))[{WHITE_SPACE}]*+"
_OPENING: Final = re.compile(rf"(?P<ticks>`{{3,}}+)(?P<info>[^`{LINE_ENDS}]*+)(?=[{LINE_ENDS}]|\Z)")
_LATER_OPENING: Final = re.compile(_LINE_START + _OPENING.pattern)
_CLOSING: Final = re.compile(rf"(?P<ticks>`{{3,}}+)[{WHITE_SPACE}]*+(?=[{LINE_ENDS}]|\Z)")
_LATER_CLOSING: Final = re.compile(_LINE_START + _CLOSING.pattern)


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block; offsets of its opening, of its content, and of what follows it."""

    language: str
    opening: int
    start: int
    end: int
    after: int


def find_program(text: str) -> Block | None:
    """The one fenced block that holds the program; None when no fence is there.

    Raises:
        SourceRefused: Several blocks could be the program, or none of them can.
    """
    if _TICKS not in text:
        return None
    blocks = list(_blocks(text))
    programs = [block for block in blocks if block.language in LANGUAGES]
    if len(programs) > 1:
        line, _ = Lines(text).position(programs[1].opening)
        raise SourceRefused(
            f"Line {line}: a second code block begins here; send one program, best without fences",
            line=line,
        )
    if blocks and not programs:
        line, _ = Lines(text).position(blocks[0].opening)
        raise SourceRefused(
            f"Line {line}: this code block is marked {blocks[0].language[:40]!r}; "
            "send a JavaScript program, best without a fence",
            line=line,
        )
    return programs[0] if programs else None


def isolated(text: str, block: Block) -> str:
    """The text with blanks everywhere outside the block."""
    return blanked(text[: block.start]) + text[block.start : block.end] + blanked(text[block.end :])


def has_prose(text: str, block: Block) -> bool:
    """Whether anything but white space stands before or after the fence."""
    return not (is_blank(text[: block.opening]) and is_blank(text[block.after :]))


def _blocks(text: str) -> Iterator[Block]:
    opening = _first_opening(text)
    while opening is not None:
        block = _block(text, opening)
        yield block
        opening = _LATER_OPENING.search(text, block.after)


def _first_opening(text: str) -> re.Match[str] | None:
    for token in tokens(text):
        if token.kind is TokenKind.TEMPLATE and token.is_first:
            opening = _OPENING.match(text, token.start)
            if opening is not None:
                return opening
    return None


def _block(text: str, opening: re.Match[str]) -> Block:
    words = opening["info"].split()
    language = words[0].lower() if words else ""
    start = next_line(text, opening.end())
    closing = _closing(text, start, len(opening["ticks"]), is_code=language in LANGUAGES)
    end, after = closing or (len(text), len(text))
    return Block(language, opening.start("ticks"), start, end, after)


def _closing(text: str, start: int, ticks: int, *, is_code: bool) -> tuple[int, int] | None:
    """Where the content ends and where the closing fence ends; None when it is not closed.

    The first fence at which the code is at rest; in broken code, the first fence.
    """
    if is_code:
        for token in tokens(text, start):
            if token.kind is TokenKind.TEMPLATE and token.is_first:
                closing = _CLOSING.match(text, token.start)
                if closing is not None and len(closing["ticks"]) >= ticks:
                    return closing.span()
    for closing in _LATER_CLOSING.finditer(text, start):
        if len(closing["ticks"]) >= ticks:
            return closing.start("ticks"), closing.end()
    return None
