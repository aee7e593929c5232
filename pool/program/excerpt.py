"""An error in the caller's own terms: position, excerpt and bounded text.

What a worker says about an error is not trusted: lengths are cut again, positions must exist in
the caller's source, and stacks keep frames of `program.js` alone. Whatever is cut is said.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from pool.errors import SourceRefused
from pool.program.graphemes import boundary_before
from pool.program.outcome import ProgramError
from pool.program.positions import Lines, is_blank, utf16_length, well_formed
from pool.program.source import Program
from pool.wire.messages import GuestError

# Spec S-10.
MAX_TEXT_CHARS: Final = 16_384
MAX_LINE_CHARS: Final = 400
MAX_CAUSES: Final = 8
MAX_MEMBERS: Final = 32

# Name of what a worker sends in place of errors that it left out.
_OMITTED: Final = "Omitted"

# Members may have causes and members of their own. A person reads a few; this many bounds what
# a tree of them costs the host.
MAX_ERRORS: Final = 1_024

_FRAME: Final = re.compile(r"\s*at (?:async )?(?:.* \()?program\.js:\d+:\d+\)?")
# What a terminal would act on. A tab stays: the caret line repeats it.
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")

# Upper bytes of the second unit of a character beyond U+FFFF.
_LOW_SURROGATE: Final = (b"\xdc", b"\xdd", b"\xde", b"\xdf")


def describe(raw: GuestError, program: Program) -> ProgramError:
    """What a worker reported, checked and joined with the caller's own text."""
    return _Description(program.original).of(raw, MAX_CAUSES)


def describe_refusal(refused: SourceRefused, source: str | bytes) -> ProgramError:
    """Why a source was refused, with the line that is to blame."""
    text = source.decode("utf-8", "replace") if isinstance(source, bytes) else well_formed(source)
    return ProgramError(
        name="SourceError",
        message=str(refused),
        line=refused.line,
        column=refused.column,
        excerpt=_excerpt(Lines(text), refused.line, refused.column),
    )


def excerpt_of(line: str, column: int | None) -> str:
    """A line of source and a caret below one of its columns.

    A long line is shown as a window around the column, with an ellipsis where it goes on.

    Args:
        column: From 1, in UTF-16 units; None shows the start of the line without a caret.
    """
    units = _CONTROL.sub("\ufffd", line).encode("utf-16-le", "replace")
    length = len(units) // 2
    at = 0 if column is None else min(column - 1, length)
    at -= units[2 * at + 1 : 2 * at + 2] in _LOW_SURROGATE
    start = max(0, min(at - MAX_LINE_CHARS // 2, length - MAX_LINE_CHARS))
    end = min(length, start + MAX_LINE_CHARS)
    # An ellipsis takes the place of one character.
    before = "…" + _slice(units, start + 1, at) if start else _slice(units, 0, at)
    after = _slice(units, at, end - 1) + "…" if end < length else _slice(units, at, end)
    if column is None:
        return after
    padding = "".join("\t" if char == "\t" else " " * utf16_length(char) for char in before)
    return f"{before}{after}\n{padding}^"


def _excerpt(lines: Lines, line: int | None, column: int | None) -> str | None:
    if line is None or is_blank(lines[line]):
        return None
    return excerpt_of(lines[line], column)


def _slice(units: bytes, start: int, end: int) -> str:
    """Text between two offsets in UTF-16 units; half a character at an edge is left out."""
    return units[2 * start : 2 * end].decode("utf-16-le", "ignore")


class _Description:
    """One error and everything below it, for one source."""

    def __init__(self, source: str) -> None:
        self._lines = Lines(source)
        self._left = MAX_ERRORS

    def of(self, raw: GuestError, causes_left: int) -> ProgramError:
        self._left -= 1
        has_room = causes_left > 0 and self._left > 0
        cause = self.of(raw.cause, causes_left - 1) if raw.cause and has_room else None
        members = self._members(raw.errors, causes_left)
        unsaid = []
        if raw.cause and cause is None:
            unsaid.append("further causes are not shown")
        if len(members) < len(raw.errors):
            unsaid.append(_omission(raw.errors[len(members) :]))
        line, column = self._position(raw)
        return ProgramError(
            name=_bounded(raw.name),
            message=_bounded(raw.message, "".join(f"\n[{sentence}]" for sentence in unsaid)),
            line=line,
            column=column,
            excerpt=_excerpt(self._lines, line, column),
            stack=_bounded("\n".join(filter(_FRAME.fullmatch, raw.stack.split("\n")))),
            cause=cause,
            errors=members,
        )

    def _members(self, raw: Sequence[GuestError], causes_left: int) -> tuple[ProgramError, ...]:
        members = []
        for member in raw[:MAX_MEMBERS]:
            if causes_left == 0 or self._left <= 0:
                break
            members.append(self.of(member, causes_left - 1))
        return tuple(members)

    def _position(self, raw: GuestError) -> tuple[int | None, int | None]:
        """Line and column, as far as they exist in the source."""
        if raw.line is None or not 1 <= raw.line <= len(self._lines):
            return None, None
        last = utf16_length(self._lines[raw.line]) + 1
        if raw.column is None or not 1 <= raw.column <= last:
            return raw.line, None
        return raw.line, raw.column


def _omission(cut: Sequence[GuestError]) -> str:
    """What to say of members that are left out; a worker that left out some has said it."""
    if len(cut) == 1 and cut[0].name == _OMITTED:
        return cut[0].message
    return f"{len(cut)} more errors are not shown"


def _bounded(text: str, ending: str = "") -> str:
    """At most `MAX_TEXT_CHARS`, `ending` included; what was cut is said."""
    if len(text) + len(ending) <= MAX_TEXT_CHARS:
        return text + ending
    ending = f"… [cut, {len(text)} characters in all]{ending}"
    return text[: boundary_before(text, MAX_TEXT_CHARS - len(ending))] + ending
