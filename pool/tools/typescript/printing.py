"""A tree of types becomes text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pool.tools.typescript.literals import key
from pool.tools.typescript.types import (
    Array,
    Intersection,
    Member,
    Object,
    Tuple,
    Type,
    Union,
    Word,
)

INDENT: Final = "  "


@dataclass(frozen=True, slots=True)
class Style:
    """How much is printed.

    Attributes:
        is_brief: On one line, without comments.
        has_notes: Comments of properties that must be there.
        has_optional_notes: Comments of properties that may be missing.
        optional: How many of the properties that may be missing each object shows; None for all.
    """

    is_brief: bool = False
    has_notes: bool = True
    has_optional_notes: bool = True
    optional: int | None = None


FULL: Final = Style()
BRIEF: Final = Style(is_brief=True)

# From the longest text to the shortest that still tells what a call must have.
LADDER: Final = (
    FULL,
    *(Style(has_optional_notes=False, optional=most) for most in (None, 64, 16, 4, 0)),
    Style(has_notes=False, has_optional_notes=False, optional=0),
)


def printed(type: Type, level: int, style: Style) -> str:
    """The text of a type, to be put at `level` steps of indentation."""
    match type:
        case Word(text):
            return text
        case Union(members):
            return " | ".join(printed(each, level, style) for each in members)
        case Intersection(members):
            return " & ".join(_grouped(each, level, style) for each in members)
        case Array(item):
            return f"{_grouped(item, level, style)}[]"
        case Tuple():
            return _tuple(type, level, style)
        case Object():
            return _object(type, level, style)


def comment(lines: Sequence[str], level: int) -> str:
    """JSDoc of some lines; nothing when they are empty."""
    told = [line.rstrip().replace("*/", "*\\/") for text in lines for line in text.splitlines()]
    if not any(told):
        return ""
    indent = INDENT * level
    if len(told) == 1:
        return f"{indent}/** {told[0].strip()} */\n"
    body = "".join(f"{indent} * {line}".rstrip() + "\n" for line in told)
    return f"{indent}/**\n{body}{indent} */\n"


def _grouped(type: Type, level: int, style: Style) -> str:
    """With parentheses where `[]` or `&` after it would not mean all of it."""
    text = printed(type, level, style)
    return f"({text})" if isinstance(type, Union | Intersection) else text


def _tuple(type: Tuple, level: int, style: Style) -> str:
    items = [
        f"{_grouped(item, level, style)}{'' if at < type.required else '?'}"
        for at, item in enumerate(type.items)
    ]
    if type.rest is not None:
        items.append(f"...{_grouped(type.rest, level, style)}[]")
    return f"[{', '.join(items)}]"


def _object(type: Object, level: int, style: Style) -> str:
    shown = _shown(type.members, style)
    lines = [_member(member, level + 1, style) for member in shown]
    hidden = len(type.members) - len(shown)
    if hidden:
        lines.append(f"{INDENT * (level + 1)}// and {hidden} more optional properties")
    index = type.index
    if index is not None or hidden:
        text = "unknown" if index is None or hidden else printed(index, level + 1, style)
        said = "" if style.is_brief else comment(type.index_notes, level + 1)
        lines.append(said + _line(f"[key: string]: {text}", level + 1, style))
    if not lines:
        return "Record<string, never>"
    if style.is_brief:
        return f"{{ {'; '.join(lines)} }}"
    return "{\n" + "\n".join(lines) + f"\n{INDENT * level}}}"


def _shown(members: Sequence[Member], style: Style) -> Sequence[Member]:
    """Every property that must be there, and of the others the first few."""
    if style.optional is None:
        return members
    optional = [at for at, each in enumerate(members) if not each.is_required]
    left_out = frozenset(optional[style.optional :])
    return [each for at, each in enumerate(members) if at not in left_out]


def _member(member: Member, level: int, style: Style) -> str:
    mark = "" if member.is_required else "?"
    text = f"{key(member.name)}{mark}: {printed(member.type, level, style)}"
    is_told = style.has_notes if member.is_required else style.has_optional_notes
    said = comment(member.notes, level) if is_told and not style.is_brief else ""
    return said + _line(text, level, style)


def _line(member: str, level: int, style: Style) -> str:
    return member if style.is_brief else f"{INDENT * level}{member};"
