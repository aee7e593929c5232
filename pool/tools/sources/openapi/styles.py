"""Parameter styles: how a value is spelled in a path, a query, a header or a cookie. Pure.

Percent-encoding makes every value one value: nothing in it can begin another parameter, another
path segment or another header. Where a style separates values by a character that cannot be
encoded, a value that holds it is refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Final
from urllib.parse import quote

from pool.errors import ToolError

STYLES: Final = {
    "path": frozenset({"simple", "label", "matrix"}),
    "query": frozenset({"form", "spaceDelimited", "pipeDelimited", "deepObject"}),
    "header": frozenset({"simple"}),
    "cookie": frozenset({"form"}),
}

# Reserved characters that structure no query of their own; `&`, `=`, `#`, `+` and `%` always do.
_ALLOWED_RESERVED: Final = ":/?@!$'()*,;"

_SEPARATORS: Final = {"form": ",", "spaceDelimited": "%20", "pipeDelimited": "%7C"}


def scalar(name: str, value: Any) -> str:
    """The text of one value that is no array and no object.

    Raises:
        ToolError: It is bytes, an array or an object.
    """
    match value:
        case str():
            return value
        case None | bool() | int() | float():
            return json.dumps(value, allow_nan=False)
        case _:
            raise ToolError(f"argument.{name}: this value is nested too deeply for its style")


def encoded(text: str, safe: str = "") -> str:
    return quote(text, safe=safe, errors="replace")


def path_text(name: str, value: Any, style: str, *, explode: bool) -> str:
    """A value within a path, encoded. Dots are encoded where they separate values."""
    prefix, between = {
        "simple": ("", ","), "label": (".", "." if explode else ","),
        "matrix": (";", ";" if explode else ","),
    }[style]  # fmt: skip
    word = encoded(name)

    def text(item: Any) -> str:
        spelled = encoded(scalar(name, item))
        return spelled.replace(".", "%2E") if style == "label" else spelled

    if isinstance(value, dict):
        pairs = [(encoded(key).replace(".", "%2E"), text(item)) for key, item in value.items()]
        items = [f"{k}={v}" for k, v in pairs] if explode else [t for pair in pairs for t in pair]
        named = style == "matrix" and not explode
    elif isinstance(value, list):
        items = [text(item) for item in value]
        if style == "matrix" and explode:
            items = [f"{word}={item}" for item in items]
        named = style == "matrix" and not explode
    else:
        items, named = [text(value)], style == "matrix"
    return f"{prefix}{f'{word}=' if named else ''}{between.join(items)}"


def query_pairs(
    name: str, value: Any, style: str, *, explode: bool, allow_reserved: bool = False
) -> list[str]:
    """A value as `name=value` texts for a query, a form or a cookie, encoded; none for null."""
    safe = _ALLOWED_RESERVED if allow_reserved else ""
    word = encoded(name)
    if value is None:
        return []
    if not isinstance(value, list | dict):
        return [f"{word}={encoded(scalar(name, value), safe)}"]
    if style == "deepObject":
        return [f"{encoded(key)}={encoded(text, safe)}" for key, text in _deep(name, name, value)]
    if explode and isinstance(value, dict):
        return [f"{encoded(k)}={encoded(scalar(name, item), safe)}" for k, item in value.items()]
    if explode:
        return [f"{word}={encoded(scalar(name, item), safe)}" for item in value]
    texts = [scalar(name, item) for item in _flat(value)]
    if not texts:
        return []
    separator = _SEPARATORS[style]
    for text in texts:
        if style != "form" and encoded(text).find(separator) >= 0:
            raise ToolError(f"argument.{name}: a value holds the separator of style {style}")
    if style == "form":
        safe = safe.replace(",", "")
    return [f"{word}={separator.join(encoded(text, safe) for text in texts)}"]


def header_text(name: str, value: Any, *, explode: bool) -> str:
    """A value as the text of a header, not encoded.

    Raises:
        ToolError: It has a control character, or an item has the comma that separates items.
    """
    if isinstance(value, dict) and explode:
        items = [f"{key}={scalar(name, item)}" for key, item in value.items()]
    elif isinstance(value, list | dict):
        items = [scalar(name, item) for item in _flat(value)]
    else:
        return checked_header(name, scalar(name, value))
    if any("," in item for item in items):
        raise ToolError(f"argument.{name}: an item holds a comma, which separates items here")
    return checked_header(name, ",".join(items))


def checked_header(name: str, text: str) -> str:
    """`text`, when it can be sent as a header.

    Raises:
        ToolError: It has a control character.
    """
    if any(char < " " or char == "\x7f" for char in text):
        raise ToolError(f"argument.{name}: a header cannot hold control characters")
    return text.strip()


def _flat(value: Any) -> Iterable[Any]:
    return [part for pair in value.items() for part in pair] if isinstance(value, dict) else value


def _deep(name: str, prefix: str, value: Any) -> Iterable[tuple[str, str]]:
    if isinstance(value, list | dict):
        steps = value.items() if isinstance(value, dict) else enumerate(value)
        for step, item in steps:
            yield from _deep(name, f"{prefix}[{step}]", item)
    elif value is not None:
        yield prefix, scalar(name, value)
