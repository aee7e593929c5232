"""JSON values and names as TypeScript spells them."""

from __future__ import annotations

import json
import math
import re
from typing import Any, Final

# Deeper values help no reader.
_MAX_DEPTH: Final = 8

_PLAIN_KEY: Final = re.compile(r"[A-Za-z_$][\w$]*", re.ASCII)
_HALF_CHARACTER: Final = re.compile("[\ud800-\udfff]")


def literal(value: Any, depth: int = 0) -> str:
    """A JSON value as a literal type; `unknown` where there is none."""
    if isinstance(value, float) and not math.isfinite(value):
        return "number"
    if isinstance(value, str | bool | int | float | None):
        return _escaped(json.dumps(value, ensure_ascii=False))
    if depth >= _MAX_DEPTH:
        return "unknown"
    if isinstance(value, list):
        return f"[{', '.join(literal(each, depth + 1) for each in value)}]"
    if isinstance(value, dict):
        members = (f"{key(str(name))}: {literal(value[name], depth + 1)}" for name in value)
        return f"{{ {'; '.join(members)} }}" if value else "Record<string, never>"
    return "unknown"


def key(name: str) -> str:
    """A property's name, in quotes where it needs them."""
    return name if _PLAIN_KEY.fullmatch(name) else literal(name)


def shown(value: Any) -> str:
    """A JSON value in a comment, as JSON."""
    try:
        return _escaped(json.dumps(value, ensure_ascii=False))
    except (TypeError, ValueError, RecursionError):
        return "…"


def _escaped(text: str) -> str:
    # U+2028 and U+2029 end a line in a comment, and half a character has no UTF-8.
    text = text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    return _HALF_CHARACTER.sub(lambda half: f"\\u{ord(half[0]):04x}", text)
