"""Recovery of a program that stands in a Markdown fence, with or without prose around it.

A fence counts only where JavaScript would see code: three backticks at the start of a line inside
a comment or template are the program's own. Everything outside the block becomes blanks, so the
program keeps its lines and columns. Several blocks of JavaScript are refused, not guessed among.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Final

from pool.program.lexer import TokenKind, tokens
from pool.program.positions import (
    LINE_ENDS,
    LINE_START,
    WHITE_SPACE,
    begins_line,
    blanked,
    is_blank,
    next_line,
)
from pool.program.refusal import refuse

# "" is a fence without a language. Of JSX and modules the compiler says what it does not take.
LANGUAGES: Final = frozenset(
    {"", "js", "javascript", "ecmascript", "node", "nodejs", "mjs", "cjs", "jsx"}
    | {"ts", "typescript", "mts", "cts", "tsx"}
)

# Enough of a wrong language to recognise it.
_SHOWN_CHARS: Final = 40

_TICKS: Final = "```"
_OPENING: Final = re.compile(rf"(?P<ticks>`{{3,}}+)(?P<info>[^`{LINE_ENDS}]*+)(?=[{LINE_ENDS}]|\Z)")
_LATER_OPENING: Final = re.compile(LINE_START + _OPENING.pattern)
_CLOSING: Final = re.compile(rf"(?P<ticks>`{{3,}}+)[{WHITE_SPACE}]*+(?=[{LINE_ENDS}]|\Z)")
_LATER_CLOSING: Final = re.compile(LINE_START + _CLOSING.pattern)


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
    program, foreign = None, None
    for block in _blocks(text):
        if block.language not in LANGUAGES:
            foreign = foreign or block
        elif program is None:
            program = block
        else:
            refuse(text, block.opening, "a second code block begins here; send one program")
    if program is None and foreign is not None:
        language = foreign.language[:_SHOWN_CHARS]
        refuse(text, foreign.opening, f"this block is marked {language!r}; send JavaScript")
    return _before_lone_closing(text, program) if program is not None else None


def isolated(text: str, block: Block) -> str:
    """The text with blanks everywhere outside the block."""
    return blanked(text[: block.start]) + text[block.start : block.end] + blanked(text[block.end :])


def has_prose(text: str, block: Block) -> bool:
    """Whether anything but white space stands before or after the fence."""
    return not (is_blank(text[: block.opening]) and is_blank(text[block.after :]))


def _before_lone_closing(text: str, block: Block) -> Block:
    """The program before a fence that is the last line: the end of a block without a beginning."""
    is_last = not block.language and block.end == len(text) and is_blank(text[block.start :])
    if not is_last or is_blank(text[: block.opening]):
        return block
    return Block("", 0, 0, block.opening, len(text))


def _blocks(text: str) -> Iterator[Block]:
    opening = _first_opening(text)
    while opening is not None:
        block = _block(text, opening)
        yield block
        opening = _LATER_OPENING.search(text, block.after)


def _first_opening(text: str) -> re.Match[str] | None:
    openings = (_OPENING.match(text, offset) for offset in _fences_in_code(text, 0))
    return next(filter(None, openings), None)


def _fences_in_code(text: str, start: int) -> Iterator[int]:
    """Offsets at which a line of code, not of a comment or string, begins with backticks."""
    for token in tokens(text, start):
        is_fence = token.kind is TokenKind.TEMPLATE and text.startswith(_TICKS, token.start)
        if is_fence and begins_line(text, token.start):
            yield token.start


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
    in_code = _fences_in_code(text, start) if is_code else ()
    closings = chain(
        filter(None, (_CLOSING.match(text, offset) for offset in in_code)),
        _LATER_CLOSING.finditer(text, start),
    )
    for closing in closings:
        if len(closing["ticks"]) >= ticks:
            return closing.start("ticks"), closing.end()
    return None
