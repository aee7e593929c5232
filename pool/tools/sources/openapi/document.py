"""An OpenAPI document: bytes of JSON or YAML become plain JSON values, and local `$ref`s resolve.

References to other files and hosts are never followed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import unquote

from pool.errors import UsageError

# The largest public documents have about 12 MB.
MAX_DOCUMENT_BYTES: Final = 64 * 1024 * 1024

# Values of a document, counted where aliases of YAML repeat them: a few lines can name billions.
MAX_NODES: Final = 4_000_000

# Deeper than any document nests; an alias of YAML that holds itself is deeper than everything.
MAX_DEPTH: Final = 100

# References that only lead to references.
MAX_HOPS: Final = 32


class Inexpressible(Exception):
    """A part of a document that no tool can express. The text says what and why."""


@dataclass(frozen=True, slots=True, repr=False)
class Document:
    """A parsed document."""

    root: Mapping[str, Any]

    @property
    def is_3_0(self) -> bool:
        return str(self.root["openapi"]).startswith("3.0")

    def target(self, reference: object) -> Any:
        """What a local reference (`#/components/…`) points at.

        Raises:
            Inexpressible: It points outside of the document or at nothing.
        """
        if not isinstance(reference, str) or not (reference == "#" or reference[:2] == "#/"):
            raise Inexpressible(f"it refers to {reference!r:.200}, outside of the document")
        node: Any = self.root
        for token in reference.split("/")[1:]:
            step = unquote(token).replace("~1", "/").replace("~0", "~")
            if isinstance(node, dict) and step in node:
                node = node[step]
            elif isinstance(node, list) and step.isdecimal() and int(step) < len(node):
                node = node[int(step)]
            else:
                raise Inexpressible(f"it refers to {reference!r:.200}, which is not there")
        return node

    def resolved(self, node: Any) -> dict[str, Any]:
        """`node`, or what its `$ref` leads to.

        Raises:
            Inexpressible: The reference is external, leads nowhere or in a circle, or the end of it
                is no object.
        """
        for _ in range(MAX_HOPS):
            if not isinstance(node, dict):
                raise Inexpressible("the document has no object where one must be")
            if "$ref" not in node:
                return node
            node = self.target(node["$ref"])
        raise Inexpressible("its references lead in a circle")


def parse_document(data: bytes) -> Document:
    """The document in `data`.

    Raises:
        UsageError: It is neither JSON nor YAML, too large, or not OpenAPI 3.0 or 3.1.
    """
    if len(data) > MAX_DOCUMENT_BYTES:
        raise UsageError(f"it has {len(data)} bytes, more than {MAX_DOCUMENT_BYTES}")
    root = _Plain().of(_loaded(data), 0)
    if not isinstance(root, dict):
        raise UsageError("it is no OpenAPI document: not an object")
    version = str(root.get("openapi", root.get("swagger", "unknown")))
    if version.split(".")[:2] not in (["3", "0"], ["3", "1"]):
        raise UsageError(f"it is not OpenAPI 3.0 or 3.1: its version is {version:.40}")
    return Document(root)


def _loaded(data: bytes) -> Any:
    if data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"{":
        try:
            return json.loads(data)
        except (ValueError, RecursionError):
            pass  # YAML has braces too
    import yaml

    class Loader(yaml.SafeLoader):
        """Dates stay texts, as in JSON, and so do `no` and `on`."""

    Loader.yaml_implicit_resolvers = {
        char: [(tag, rule) for tag, rule in rules if not tag.endswith((":timestamp", ":bool"))]
        for char, rules in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }
    for char in "tTfF":
        Loader.yaml_implicit_resolvers.setdefault(char, []).append(
            ("tag:yaml.org,2002:bool", _YamlBoolean())
        )
    try:
        return yaml.load(data, Loader)  # noqa: S506 - a subclass of the safe loader
    except (yaml.YAMLError, ValueError, RecursionError, TypeError) as error:
        raise UsageError(f"it is neither JSON nor YAML: {error!s:.300}") from error


class _YamlBoolean:
    """Matches the booleans of YAML 1.2."""

    def match(self, text: str) -> bool:
        return text.lower() in {"true", "false"}


class _Plain:
    """Copies parsed values, with texts for all keys, and counts them."""

    def __init__(self) -> None:
        self._nodes = 0

    def of(self, value: Any, depth: int) -> Any:
        self._nodes += 1
        if self._nodes > MAX_NODES or depth > MAX_DEPTH:
            raise UsageError(f"it has more than {MAX_NODES} values or {MAX_DEPTH} levels")
        match value:
            case dict():
                return {str(key): self.of(item, depth + 1) for key, item in value.items()}
            case list():
                return [self.of(item, depth + 1) for item in value]
            case str() | int() | float() | None:
                return value
            case _:
                return str(value)
