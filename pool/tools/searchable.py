"""What search may read of a tool."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pool.tools.ranking import Document
from pool.tools.tool import JsonSchema, Tool


def document(tool: Tool, *, namespace_description: str = "") -> Document:
    """The text by which a tool is found."""
    names, descriptions = parameters(tool.input_schema)
    return Document(
        name=tool.name,
        namespace=tool.namespace or "",
        description=tool.description,
        parameters=names,
        namespace_description=namespace_description,
        parameter_descriptions=descriptions,
        aliases=tool.aliases,
    )


def parameters(schema: JsonSchema | None) -> tuple[str, str]:
    """The names of the properties of an argument, and what is said about them."""
    properties = dict(_properties(schema))
    return " ".join(properties), " ".join(filter(None, map(_description, properties.values())))


def _properties(schema: JsonSchema | None) -> Iterator[tuple[str, Any]]:
    properties = (schema or {}).get("properties")
    if isinstance(properties, Mapping):
        yield from properties.items()


def _description(schema: Any) -> str:
    said = schema.get("description") if isinstance(schema, Mapping) else None
    return said if isinstance(said, str) else ""
