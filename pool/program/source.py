"""A source as the caller gave it, made ready for the worker.

What a host can see without a parser is decided here: size, encoding, a Markdown fence, a
hashbang, the options line, and sources that are no program at all. What needs a parser is the
worker's. Nothing is shifted: parts that are no code become blanks, so every position in the
compiled text is a position in the caller's.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Final

from pool.errors import SourceRefused
from pool.limits import Limits
from pool.program.fence import find_program, has_prose, isolated
from pool.program.options import Options, read_options, refuse_outside
from pool.program.positions import (
    blanked,
    is_blank,
    line_end,
    next_line,
    well_formed,
)
from pool.program.refusal import refuse
from pool.program.span import code_span

_BOM: Final = "\ufeff"
_HASHBANG: Final = "#!"


@dataclass(frozen=True, slots=True)
class Program:
    """A source that may be handed to a worker.

    Attributes:
        source: What is compiled; same lines and UTF-16 columns as `original`.
        original: The caller's text, for excerpts.
        options: What the options line asks for, within the limits.
        notes: What was changed, one sentence each.
        code: Where in `source` its code begins and ends, in UTF-16 units (see `code_span`).
    """

    source: str
    original: str
    options: Options
    notes: tuple[str, ...]
    code: tuple[int, int]


def prepare(source: str | bytes, *, limits: Limits) -> Program:
    """Read options and take out what is not code.

    Args:
        source: The body of an async function as text, or as UTF-8.
        limits: What the host allows; `source_bytes` bounds the source, the rest its options.

    Raises:
        SourceRefused: The program must not start; the message names the line and the fix.
    """
    original, notes = _decoded(source, limits.source_bytes)
    text, start = _without_fence(original, notes)
    text, start = _without_preamble(text, start, notes)
    if is_blank(text):
        refuse(text, 0, "the source is empty; write a program")
    options, lowered, code = read_options(text, start, limits)
    _refuse_json_object(text, code)
    return Program(text, original, options, (*notes, *lowered), code_span(text))


def _decoded(source: str | bytes, limit_bytes: int) -> tuple[str, list[str]]:
    size = len(source) if isinstance(source, bytes) else _utf8_length(source)
    if size > limit_bytes:
        raise SourceRefused(
            f"The source is {size} bytes, the limit is {limit_bytes}; "
            "send a shorter program and let tools read large data"
        )
    if isinstance(source, bytes):
        return _from_utf8(source), []
    text = well_formed(source)
    is_changed = text.count("\ufffd") > source.count("\ufffd")
    return text, ["Halves of characters (lone surrogates) became U+FFFD."] if is_changed else []


def _utf8_length(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def _from_utf8(source: bytes) -> str:
    try:
        return source.decode("utf-8")
    except UnicodeDecodeError as error:
        before = source[: error.start].decode("utf-8")
        wrong = f"byte 0x{source[error.start]:02x} is not UTF-8; save the source as UTF-8"
        refuse(before, len(before), wrong)


def _without_fence(text: str, notes: list[str]) -> tuple[str, int]:
    """The text with a fence and what surrounds it blanked, and where the program begins."""
    block = find_program(text)
    if block is None:
        return text, 0
    refuse_outside(text, block.start, block.end)
    around = " and the text around it" if has_prose(text, block) else ""
    were = "were" if around else "was"
    notes.append(f"The Markdown fence{around} {were} ignored.")
    if is_blank(text[block.start : block.end]):
        refuse(text, block.opening, "the code block is empty; write a program in it")
    return isolated(text, block), block.start


def _without_preamble(text: str, start: int, notes: list[str]) -> tuple[str, int]:
    """The text with a BOM and a hashbang blanked, and where the first line of code begins."""
    code = start
    if text.startswith(_BOM, code):
        notes.append("The byte order mark was ignored.")
        code += len(_BOM)
    if not text.startswith(_HASHBANG, code):
        return text[:start] + blanked(text[start:code]) + text[code:], start
    notes.append("The hashbang line was ignored.")
    end = line_end(text, code)
    return text[:start] + blanked(text[start:end]) + text[end:], next_line(text, code)


def _refuse_json_object(text: str, start: int) -> None:
    """Arguments of a tool, or a whole request, where a program belongs."""
    code = text[start:].strip()
    if not (code.startswith("{") and code.endswith("}")):
        return
    try:
        document = json.loads(code)
    except (ValueError, RecursionError):
        return
    where = text.index("{", start)
    if isinstance(document.get("code"), str):
        refuse(text, where, 'this is a JSON object; send the text of its "code" as the source')
    refuse(text, where, "this is a JSON object; to return it, put `return` before it")
