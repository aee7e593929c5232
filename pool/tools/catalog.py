"""What one run may call and look up: a frozen snapshot of tools.

Identifiers are assigned here, for the snapshot as a whole. Names in answers to a program are
identifiers; names in questions may be canonical names too. Nothing here calls a tool.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Final

from pool.errors import ToolDefinitionError, ToolError
from pool.tools.declarations import declaration, signature
from pool.tools.names import identifiers
from pool.tools.ranking import Index
from pool.tools.searchable import document
from pool.tools.tool import Tool
from pool.wire.messages import CatalogEntry, Question

# Results of a search that does not say how many it wants (spec T-4).
DEFAULT_RESULTS: Final = 8

# Far more than anybody asks in words. The search is on the event loop, where a query of millions
# of characters would hold up every other run for seconds.
MAX_QUERY_CHARS: Final = 2_000

# Hosts offer a few sets of tools again and again; see `snapshot`.
_SNAPSHOTS: Final = 64


class Catalog:
    """A frozen set of tools, each with the identifier a program knows it by.

    Attributes:
        entries: What the worker is told, in the order the tools were given.

    Raises:
        ToolDefinitionError: Two tools have the same canonical name.
    """

    __slots__ = ("_identifiers", "_index", "_named", "_tools", "entries")

    def __init__(self, tools: Iterable[Tool] = ()) -> None:
        self._tools = _by_name(tools)
        assigned = self._identifiers = identifiers(self._tools)
        self.entries = tuple(
            CatalogEntry(assigned[tool.name], tool.name, tool.description)
            for tool in self._tools.values()
        )
        # An identifier is looked up first, as in `tools[name]`, and so overwrites.
        self._named = {entry.name: entry for entry in self.entries}
        self._named |= {entry.identifier: entry for entry in self.entries}
        self._index: Index | None = None

    def tool(self, name: str) -> Tool | None:
        """The tool with this canonical name. Rights hang on it, so identifiers do not count."""
        return self._tools.get(name)

    def answer(self, question: Question, argument: Any) -> Any:
        """Answer what a program asks; plain values, None for what there is not.

        Args:
            argument: For a search `{query, limit?, namespace?}`; for a description `{name}`.

        Raises:
            ToolError: The question makes no sense; the text says why.
        """
        fields = argument if isinstance(argument, Mapping) else {}
        match question:
            case Question.SEARCH:
                return self.search(
                    _query(fields),
                    limit=_limit(fields.get("limit")),
                    namespace=_namespace(fields.get("namespace")),
                )
            case Question.DESCRIBE:
                return self.describe(_text(fields, "name", "describeTool"))
            case Question.NAMESPACE:
                return self.namespace(_text(fields, "name", "describeNamespace"))
            case Question.SIGNATURES:
                return self.signatures()

    def search(
        self, query: str, *, limit: int = DEFAULT_RESULTS, namespace: str | None = None
    ) -> list[dict[str, str]]:
        """The tools that fit a query, best first: `{name, description, namespace?}` each."""
        if self._index is None:
            self._index = Index({tool.name: document(tool) for tool in self._tools.values()})
        found = self._index.search(query, limit=limit, namespace=namespace)
        return [self._found(self._tools[match.key]) for match in found.matches]

    def _found(self, tool: Tool) -> dict[str, str]:
        named = {"name": self._identifiers[tool.name], "description": tool.description}
        return named | ({"namespace": tool.namespace} if tool.namespace else {})

    def describe(self, name: str) -> str | None:
        """The TypeScript declaration of one tool, by identifier or canonical name."""
        entry = self._named.get(name)
        if entry is None:
            return None
        tool = self._tools[entry.name]
        return declaration(
            entry.identifier,
            description=tool.description,
            input_schema=tool.input_schema,
            output_schema=tool.output_schema,
        )

    def signatures(self) -> dict[str, str]:
        """Every identifier with what its function takes and gives, as a TypeScript type."""
        return {
            entry.identifier: signature(
                input_schema=self._tools[entry.name].input_schema,
                output_schema=self._tools[entry.name].output_schema,
            )
            for entry in self.entries
        }

    def namespace(self, name: str) -> dict[str, Any] | None:
        """A namespace and the identifiers of its tools."""
        members = [
            entry.identifier for entry in self.entries if self._tools[entry.name].namespace == name
        ]
        return {"name": name, "tools": members} if members else None


def _by_name(tools: Iterable[Tool]) -> dict[str, Tool]:
    named: dict[str, Tool] = {}
    for tool in tools:
        if not isinstance(tool, Tool):
            raise ToolDefinitionError(f"{tool!r:.80} is not a Tool; put @tool on a function")
        if tool.name in named:
            raise ToolDefinitionError(f"two tools are called {tool.name!r}")
        named[tool.name] = tool
    return named


@lru_cache(maxsize=_SNAPSHOTS)
def snapshot(tools: tuple[Tool, ...]) -> Catalog:
    """The catalogue of these very tools; made once for as long as they are offered again.

    Tools are compared by identity, and the last sets stay in memory with all they refer to.

    Raises:
        ToolDefinitionError: As `Catalog`.
    """
    return Catalog(tools)


def _text(fields: Mapping[str, Any], name: str, function: str) -> str:
    value = fields.get(name)
    if not isinstance(value, str) or not value.strip():
        raise ToolError(f"{function} needs a {name}: a text that is not empty")
    return value


def _query(fields: Mapping[str, Any]) -> str:
    query = _text(fields, "query", "searchTools")
    if len(query) > MAX_QUERY_CHARS:
        raise ToolError(
            f"searchTools: the query has {len(query)} characters, the limit is {MAX_QUERY_CHARS}"
        )
    return query


def _limit(value: Any) -> int:
    if value is None:
        return DEFAULT_RESULTS
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ToolError("searchTools: limit must be a positive whole number")
    return value


def _namespace(value: Any) -> str | None:
    if value is not None and not isinstance(value, str):
        raise ToolError("searchTools: namespace must be a text")
    return value
