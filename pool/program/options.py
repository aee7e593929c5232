"""The options line: `// @options: {"timeout_ms": 30000, "max_output_tokens": 2000}`.

It is the first line of a program, after a BOM, a hashbang and a recovered fence. A value above
what the host allows is lowered with a note; anything else that is not right is refused with the
line and the fix, because an option that is silently ignored is worse than none.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Final, NoReturn

from pool.errors import SourceRefused
from pool.limits import MAX_TIMEOUT_MS, Limits
from pool.program.lexer import TokenKind, tokens
from pool.program.positions import LINE_ENDS, WHITE_SPACE, Lines, line_end

_LINE: Final = re.compile(
    rf"(?P<mark>//++[{WHITE_SPACE}]*+@options(?![\w-]))[{WHITE_SPACE}]*+"
    rf"(?P<colon>:?+)[{WHITE_SPACE}]*+(?P<json>[^{LINE_ENDS}]*+)"
)
_WORD: Final = "@options"
_FORM: Final = '// @options: {"timeout_ms": 30000, "max_output_tokens": 2000}'

# Least and greatest value; None where only the host's limit bounds it.
_RANGES: Final[dict[str, tuple[int, int | None]]] = {
    "timeout_ms": (1, MAX_TIMEOUT_MS),
    "max_output_tokens": (0, None),
}

# Enough of a wrong name or value to recognise it.
_SHOWN_CHARS: Final = 40


@dataclass(frozen=True, slots=True)
class Options:
    """What the options line asks for, within the host's limits; None where it is silent."""

    timeout_ms: int | None = None
    max_output_tokens: int | None = None


def read_options(text: str, start: int, limits: Limits) -> tuple[Options, tuple[str, ...]]:
    """Read the options line of a program, if it has one.

    Args:
        text: The source with everything outside the program blanked.
        start: Offset of the program's first line.
        limits: What the host allows.

    Returns:
        The options, and a note for each value that was lowered.

    Raises:
        SourceRefused: The line is wrong or misplaced, or no code comes after it.
    """
    first = next(tokens(text, start), None)
    end = line_end(text, start)
    line = None
    if first is not None and first.kind is TokenKind.LINE_COMMENT and first.start < end:
        line = _options_line(text, first.start)
    after = start if line is None else end
    _refuse_misplaced(text, after, start)
    if line is None:
        return Options(), ()
    _require_code(text, start, after)
    given = _parse(text, line)
    return _lowered(given, limits)


def refuse_outside(text: str, start: int, end: int) -> None:
    """Refuse an options line that stands outside the fence `text[start:end]` lies in.

    Raises:
        SourceRefused: One stands in the text around the block, where it would have no effect.
    """
    for found in _LINE.finditer(text):
        is_outside = found.start() < start or found.start() >= end
        if is_outside and _is_options(found) and _begins_line(text, found.start()):
            line, _ = Lines(text).position(found.start())
            raise SourceRefused(
                f"Line {line}: the options line stands outside the code block; "
                "make it the first line inside",
                line=line,
            )


def _begins_line(text: str, offset: int) -> bool:
    return re.search(rf"(?:\A|[{LINE_ENDS}])[{WHITE_SPACE}]*\Z", text[max(0, offset - 8) : offset]) is not None
