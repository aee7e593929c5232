"""What a comment says about a property beside its type."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from pool.tools.typescript.literals import shown

# Keywords that say in a comment what no type says.
_NOTED: Final = (
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
    "format",
    "pattern",
    "contentEncoding",
    "contentMediaType",
)
_FLAGS: Final = {"readOnly": "readonly", "writeOnly": "writeonly", "deprecated": "deprecated"}

# A whole document as a default would bury the rest.
_MAX_SHOWN_CHARS: Final = 200


def notes(schema: Any, name: str = "") -> tuple[str, ...]:
    """Lines about a (sub)schema that is the property `name`."""
    return tuple(_lines(schema, name)) if isinstance(schema, Mapping) else ()


def _lines(schema: Mapping[str, Any], name: str) -> Iterator[str]:
    description, title = schema.get("description"), schema.get("title")
    if isinstance(description, str):
        yield from description.splitlines()
    elif isinstance(title, str) and _letters(title) != _letters(name):
        yield from title.splitlines()
    yield from _of_choices(schema)
    yield from _of_items(schema.get("items"))
    if "default" in schema and schema["default"] is not None:
        yield f"@default {_cut(shown(schema['default']))}"
    examples = schema.get("examples")
    for example in examples[:2] if isinstance(examples, list) else ():
        yield f"@example {_cut(shown(example))}"
    for keyword in _NOTED:
        value = schema.get(keyword)
        if isinstance(value, str | int | float) and value is not False:
            yield f"@{keyword} {_cut(str(value))}" if value is not True else f"@{keyword}"
    yield from (f"@{tag}" for keyword, tag in _FLAGS.items() if schema.get(keyword) is True)


def _of_choices(schema: Mapping[str, Any]) -> Iterator[str]:
    """What is said about single values: `oneOf` with a `const` and its description each."""
    for keyword in ("oneOf", "anyOf"):
        choices = schema.get(keyword)
        for choice in choices if isinstance(choices, list) else ():
            if isinstance(choice, Mapping) and "const" in choice:
                said = choice.get("description", choice.get("title"))
                if isinstance(said, str):
                    yield f"- {_cut(shown(choice['const']))}: {' '.join(said.split())}"


def _of_items(items: Any) -> Iterator[str]:
    if isinstance(items, Mapping) and isinstance(items.get("description"), str):
        yield f"Each: {' '.join(items['description'].split())}"


def _letters(text: str) -> str:
    return re.sub(r"[\W_]", "", text).casefold()


def _cut(text: str) -> str:
    return text if len(text) <= _MAX_SHOWN_CHARS else f"{text[:_MAX_SHOWN_CHARS]}…"
