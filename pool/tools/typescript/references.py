"""What `$ref` points to inside one schema document. Nothing is ever fetched."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final
from urllib.parse import unquote, urldefrag, urljoin

# Subschemas that are looked at for identifiers and anchors.
_MAX_NODES: Final = 10_000

_ANCHORS: Final = ("$anchor", "$dynamicAnchor")


class References:
    """The places of a document by the names they have given themselves."""

    def __init__(self, document: Any) -> None:
        self._document = document
        self._base = ""
        self._resources: dict[str, Any] = {}
        self._anchors: dict[str, Any] | None = None

    def resolve(self, reference: str) -> Any:
        """The subschema that is meant; None where there is none."""
        if reference.startswith("#/") or reference in {"", "#"}:
            return _pointed_to(self._document, reference[1:])
        if self._anchors is None:
            self._anchors = {}
            self._collect()
        try:
            url, fragment = urldefrag(urljoin(self._base, reference))
        except ValueError:
            return None
        if f"{url}#{fragment}" in self._anchors:
            return self._anchors[f"{url}#{fragment}"]
        resource = self._resources.get(url)
        return _pointed_to(resource, fragment) if fragment.startswith("/") or not fragment else None

    def _collect(self) -> None:
        assert self._anchors is not None
        self._resources[""] = self._document
        for number, (base, node) in enumerate(_nodes(self._document)):
            if number == 0:
                self._base = base
            if base not in self._resources:
                self._resources[base] = node
            names = [node.get(keyword) for keyword in _ANCHORS]
            names += [each[1:] for each in _identifiers(node) if each.startswith("#")]
            for name in names:
                if isinstance(name, str):
                    self._anchors.setdefault(f"{base}#{name}", node)


def _nodes(document: Any) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every object of a document with the address that relative references in it start from."""
    waiting: list[tuple[str, Any]] = [("", document)]
    left = _MAX_NODES
    while waiting and left:
        base, node = waiting.pop()
        left -= 1
        if isinstance(node, Mapping):
            base = _base_of(node, base)
            yield base, node
            waiting += [(base, part) for part in reversed(list(node.values()))]
        elif isinstance(node, list):
            waiting += [(base, part) for part in reversed(node)]


def _base_of(node: Mapping[str, Any], base: str) -> str:
    for identifier in _identifiers(node):
        try:
            url = urldefrag(urljoin(base, identifier)).url
        except ValueError:
            continue
        base = url or base
    return base


def _identifiers(node: Mapping[str, Any]) -> Iterator[str]:
    """`$id`, and `id` as draft-04 has it."""
    for keyword in ("$id", "id"):
        if isinstance(node.get(keyword), str):
            yield node[keyword]


def _pointed_to(document: Any, pointer: str) -> Any:
    found = document
    for step in unquote(pointer).split("/")[1:]:
        step = step.replace("~1", "/").replace("~0", "~")
        if isinstance(found, list) and step.isdecimal() and int(step) < len(found):
            found = found[int(step)]
        else:
            found = found.get(step) if isinstance(found, Mapping) else None
    return found
