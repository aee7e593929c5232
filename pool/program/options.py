"""The options line: `// @options: {"timeout_ms": 30000, "max_output_tokens": 2000}`.

It is the first line of a program, after a BOM, a hashbang and a recovered fence. A value above
what the host allows is lowered with a note; anything else that is not right is refused with the
line and the fix, because an option that is silently ignored is worse than none.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Final, NoReturn

from pool.limits import MAX_TIMEOUT_MS, Limits
from pool.program.lexer import COMMENTS, TokenKind, tokens
from pool.program.positions import LINE_ENDS, LINE_START, WHITE_SPACE, Lines, line_end
from pool.program.refusal import refuse

_WORD: Final = "@options"
_LINE: Final = re.compile(
    rf"{LINE_START}(?P<mark>//++)[{WHITE_SPACE}]*+{_WORD}(?![\w-])[{WHITE_SPACE}]*+"
    rf"(?:(?P<colon>:)[{WHITE_SPACE}]*+(?P<json>[^{LINE_ENDS}]*+)|\{{)"
)
_FORM: Final = '// @options: {"timeout_ms": 30000, "max_output_tokens": 2000}'

# Least and greatest value; None where the host's limit alone bounds it.
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


def read_options(text: str, start: int, limits: Limits) -> tuple[Options, list[str], int]:
    """Read the options line of a program, if it has one.

    Args:
        text: The source with everything outside the program blanked.
        start: Offset of the program's first line.
        limits: What the host allows.

    Returns:
        The options, a note for each value that was lowered, and the offset of what follows.

    Raises:
        SourceRefused: The line is wrong or misplaced, or no code comes after it.
    """
    line = _LINE.match(text, start)
    end = start if line is None else line_end(text, start)
    _refuse_misplaced(text, start, end)
    if line is None:
        return Options(), [], start
    given = _parse(text, line)
    if all(token.kind in COMMENTS for token in tokens(text, end)):
        refuse(text, start, "no code comes after the options line; put the program below it")
    options, notes = _lowered(given, limits)
    return options, notes, end


def refuse_outside(text: str, start: int, end: int) -> None:
    """Refuse an options line in the text around a code block, where it has no effect.

    Raises:
        SourceRefused: One begins before `start` or after `end`.
    """
    for line in _LINE.finditer(text) if _WORD in text else ():
        if not start <= line.start("mark") < end:
            problem = "the options line is outside the code block; make it the first line inside"
            refuse(text, line.start("mark"), problem)


def _refuse_misplaced(text: str, start: int, after: int) -> None:
    if _WORD not in text[after:]:
        return
    candidates = {line.start("mark") for line in _LINE.finditer(text, after)}
    for token in tokens(text, start):
        if token.kind is TokenKind.LINE_COMMENT and token.start in candidates:
            first, _ = Lines(text).position(start)
            fix = "make it" if start == after else "join it with"
            refuse(text, token.start, f"an options line must come first; {fix} line {first}")


def _parse(text: str, line: re.Match[str]) -> dict[str, int]:
    if line["colon"] is None:
        refuse(text, line.start("mark"), f"a colon is missing in the options line: {_FORM}")
    try:
        given = json.loads(line["json"], parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        where = line.start("json") + error.pos
        refuse(text, where, f"the options are not valid JSON ({error.msg}); write {_FORM}")
    except (ValueError, RecursionError):
        refuse(text, line.start("json"), f"the options are not valid JSON; write {_FORM}")
    if not isinstance(given, dict):
        refuse(text, line.start("json"), f"the options must be a JSON object: {_FORM}")
    for name, value in given.items():
        problem = _problem(name, value)
        if problem:
            refuse(text, line.start("json"), problem)
    return given


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _problem(name: str, value: Any) -> str | None:
    if name not in _RANGES:
        return f"unknown option {_shown(name)}; the options are {' and '.join(_RANGES)}"
    least, most = _RANGES[name]
    is_whole = isinstance(value, int) and not isinstance(value, bool)
    if is_whole and value >= least and (most is None or value <= most):
        return None
    span = f"from {least} to {most}" if most else f"from {least} on"
    return f"{name} must be a whole number {span}, not {_shown(value)}"


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SHOWN_CHARS else text[:_SHOWN_CHARS] + "…"


def _lowered(given: dict[str, int], limits: Limits) -> tuple[Options, list[str]]:
    allowed = {name: min(value, getattr(limits, name)) for name, value in given.items()}
    notes = [
        f"{name} was lowered from {_shown(value)} to the limit of {allowed[name]}."
        for name, value in given.items()
        if value != allowed[name]
    ]
    return Options(**allowed), notes
