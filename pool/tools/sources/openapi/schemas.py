"""Schemas of OpenAPI 3.0 and 3.1 become one self-contained JSON Schema 2020-12.

Schemas that are referred to move to `$defs`, so that recursion stays what it is.
"""

from __future__ import annotations

import re
from typing import Any, Final

from pool.tools.sources.openapi.document import Document, Inexpressible

# Subschemas of one tool. Some documents reach all of their thousand schemas from each operation;
# no model reads that, and every tool would hold a copy. Beyond it references allow anything.
MAX_SUBSCHEMAS: Final = 2_000

_DROPPED: Final = frozenset(
    "nullable discriminator xml externalDocs example $defs definitions $schema $id $anchor "
    "$dynamicAnchor $comment readOnly writeOnly".split()
)
_NAMED: Final = frozenset({"properties", "patternProperties", "dependentSchemas"})
_LISTED: Final = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
_SINGLE: Final = frozenset(
    "items additionalProperties not if then else contains propertyNames unevaluatedItems "
    "unevaluatedProperties".split()
)


class SchemaWriter:
    """Translates the schemas of one tool's input or output.

    Args:
        hidden: The keyword that keeps a property out: `readOnly` of inputs, `writeOnly` of outputs.

    Attributes:
        definitions: What the translated schemas refer to, for `$defs`.
    """

    def __init__(self, document: Document, *, hidden: str) -> None:
        self._document = document
        self._hidden = hidden
        self._names: dict[str, str] = {}
        self._count = 0
        self.definitions: dict[str, Any] = {}

    def of(self, schema: Any) -> Any:
        """The translation of one schema.

        Raises:
            Inexpressible: A reference leads out of the document, or nowhere.
        """
        self._count += 1
        if isinstance(schema, bool):
            return schema
        if not isinstance(schema, dict):
            raise Inexpressible("a schema is no object")
        if "$dynamicRef" in schema:
            raise Inexpressible("a schema has a dynamic reference")
        if "$ref" in schema and self._document.is_3_0:
            return self._reference(schema["$ref"])  # its siblings do not count in 3.0
        written = {
            key: self._keyword(key, value)
            for key, value in schema.items()
            if key not in _DROPPED and not key.startswith("x-")
        }
        if "$ref" in schema:
            target = self._reference(schema["$ref"])
            written.pop("$ref")
            written |= target
        self._without_hidden(schema, written)
        return self._from_3_0(schema, written) if self._document.is_3_0 else written

    def _keyword(self, key: str, value: Any) -> Any:
        if key in _NAMED and isinstance(value, dict):
            return {name: self.of(part) for name, part in value.items()}
        if key in _LISTED and isinstance(value, list):
            return [self.of(part) for part in value]
        return self.of(value) if key in _SINGLE else value

    def _reference(self, reference: Any) -> dict[str, Any]:
        target = self._document.target(reference)
        if reference not in self._names:
            if self._count > MAX_SUBSCHEMAS:
                return {}
            self._names[reference] = name = self._name(reference)
            self.definitions[name] = {}  # its place, in the order of meeting
            self.definitions[name] = self.of(target)
        return {"$ref": f"#/$defs/{self._names[reference]}"}

    def _name(self, reference: str) -> str:
        name = re.sub(r"[^A-Za-z0-9_.-]", "_", reference.rpartition("/")[2]) or "root"
        while name in self.definitions:
            name += "_"
        return name

    def _without_hidden(self, schema: dict[str, Any], written: dict[str, Any]) -> None:
        properties = schema.get("properties")
        if not isinstance(properties, dict):
            return
        hidden = {
            name
            for name, part in properties.items()
            if isinstance(part, dict) and part.get(self._hidden) is True
        }
        for name in hidden:
            del written["properties"][name]
        if hidden and isinstance(written.get("required"), list):
            written["required"] = [name for name in written["required"] if name not in hidden]

    def _from_3_0(self, schema: dict[str, Any], written: dict[str, Any]) -> dict[str, Any]:
        for exclusive, bound in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
            if isinstance(written.get(exclusive), bool):
                if written.pop(exclusive) and bound in written:
                    written[exclusive] = written.pop(bound)
        if schema.get("nullable") is not True:
            return written
        if isinstance(written.get("enum"), list) and None not in written["enum"]:
            written["enum"] = [*written["enum"], None]
        if isinstance(written.get("type"), str):
            return {**written, "type": [written["type"], "null"]}
        return {"anyOf": [written, {"type": "null"}]} if written else written
