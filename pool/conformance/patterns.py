"""What a row expects against what came: pure, over JSON data.

Data matches data that is equal as JSON: no conversion, objects in any order of keys. An object of
exactly one of these keys is a matcher instead:

| matcher | admits |
|---|---|
| `{"$any": true}` | anything, nothing included |
| `{"$contains": x}` | a text with the text x in it; an array with an element that matches x |
| `{"$contains": [x, y]}` | the same for each of them |
| `{"$matches": "…"}` | a text in which the regular expression is found |
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from pool.program.outcome import ABSENT

# Keys of data in tagged form; see docs/conformance.md.
TAGS: Final = frozenset({"$bytes"})

# Enough of a value to see what is wrong with it.
MAX_SHOWN_CHARS: Final = 300


@dataclass(frozen=True, slots=True)
class Difference:
    """One place at which the outcome is not what the row asks for; both sides as readable text."""

    path: str
    wanted: str
    found: str


def differences(wanted: Any, found: Any, path: str) -> Iterator[Difference]:
    """Every place where `found` does not match the pattern `wanted`.

    Either may be `ABSENT`: nothing is wanted, nothing is there.
    """
    if isinstance(wanted, Mapping) and isinstance(found, Mapping) and _matcher(wanted) is None:
        for key in {**wanted, **found}:
            item = wanted.get(key, ABSENT), found.get(key, ABSENT)
            yield from differences(*item, f"{path}.{key}")
    elif isinstance(wanted, list) and isinstance(found, list) and len(wanted) == len(found):
        for index, items in enumerate(zip(wanted, found, strict=True)):
            yield from differences(*items, f"{path}[{index}]")
    elif not _admits(wanted, found):
        yield Difference(path, _shown(wanted), _shown(found))


def pattern_fault(pattern: Any) -> str | None:
    """What is wrong with a pattern, or None."""
    match pattern:
        case list():
            return next(filter(None, map(pattern_fault, pattern)), None)
        case dict() if _matcher(pattern) is not None:
            return _matcher_fault(*next(iter(pattern.items())))
        case dict():
            return next(filter(None, map(pattern_fault, pattern.values())), None)
    return None


def _matcher(pattern: Mapping[str, Any]) -> str | None:
    """The key of a matcher: the only one, and with a `$` in front."""
    key = next(iter(pattern)) if len(pattern) == 1 else ""
    return key if key.startswith("$") and key not in TAGS else None


def _matcher_fault(key: str, argument: Any) -> str | None:
    match key:
        case "$any":
            return None if argument is True else 'the only form is {"$any": true}'
        case "$contains":
            return pattern_fault(argument)
        case "$matches" if isinstance(argument, str):
            try:
                re.compile(argument)
            except re.error as error:
                return f"{argument!r} is no regular expression: {error}"
            return None
    return f"{key} is no matcher, or its argument has the wrong type"


def _admits(wanted: Any, found: Any) -> bool:
    if isinstance(wanted, Mapping):
        match _matcher(wanted):
            case "$any":
                return True
            case "$contains":
                argument = wanted["$contains"]
                needed = argument if isinstance(argument, list) else [argument]
                return all(_contains(found, each) for each in needed)
            case "$matches":
                return isinstance(found, str) and re.search(wanted["$matches"], found) is not None
    return _is_same(wanted, found)


def _contains(found: Any, needed: Any) -> bool:
    if isinstance(found, str):
        return isinstance(needed, str) and needed in found
    is_list = isinstance(found, list)
    return is_list and any(not any(differences(needed, item, "")) for item in found)


def _is_same(wanted: Any, found: Any) -> bool:
    """Equality of JSON: `true` is not 1, and 1 is 1.0."""
    return isinstance(wanted, bool) == isinstance(found, bool) and bool(wanted == found)


def _shown(value: Any) -> str:
    text = "nothing" if value is ABSENT else json.dumps(value, ensure_ascii=False)
    if len(text) <= MAX_SHOWN_CHARS:
        return text
    return f"{text[:MAX_SHOWN_CHARS]}… ({len(text)} characters)"
