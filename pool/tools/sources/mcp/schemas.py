"""The schema of what a call of an MCP tool resolves to: the result object, not its content alone.

Pure. The server's output schema describes `structuredContent`; its references are made to hold in
their new place.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

# Moved to the root, so that references into them, which are the usual ones, hold as they are.
_HOISTED: Final = ("$defs", "definitions")

_PLACE: Final = "#/properties/structuredContent"

# One for all kinds, as short as it can be: it stands in the declaration of every tool.
CONTENT: Final[Mapping[str, Any]] = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {
            "type": {"type": "string"},
            "text": {"type": "string"},
            "data": {"type": "string"},
            "mimeType": {"type": "string"},
        },
        "required": ["type"],
    },
}


def result_schema(output_schema: Mapping[str, Any] | None) -> dict[str, Any]:
    """The JSON Schema of a tool's result object.

    Args:
        output_schema: As the server states it; None when it states none.
    """
    properties: dict[str, Any] = {"content": CONTENT, "isError": {"type": "boolean"}}
    schema: dict[str, Any] = {"type": "object", "required": ["content", "isError"]}
    if output_schema is not None:
        moved = _moved(output_schema)
        schema |= {name: moved.pop(name) for name in _HOISTED if name in moved}
        # Two vocabularies in one document would need two validators.
        if "$schema" in moved:
            schema["$schema"] = moved.pop("$schema")
        properties["structuredContent"] = moved
    return {**schema, "properties": properties}


def _moved(value: Any) -> Any:
    match value:
        case dict():
            return {key: _reference(key, item) for key, item in value.items()}
        case list():
            return [_moved(item) for item in value]
        case _:
            return value


def _reference(key: str, value: Any) -> Any:
    if key != "$ref" or not isinstance(value, str):
        return _moved(value)
    is_local = value == "#" or value.startswith("#/")
    if not is_local or value.startswith(tuple(f"#/{name}/" for name in _HOISTED)):
        return value
    return _PLACE + value[1:]
