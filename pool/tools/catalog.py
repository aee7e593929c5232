"""What one run may call and look up: a frozen snapshot of tools.

Identifiers are assigned here, for the snapshot as a whole. Names in answers to a program are
identifiers; names in questions may be canonical names too. Nothing here calls a tool.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from pool.errors import ToolDefinitionError, ToolError
from pool.tools.declarations import declaration, signature
from pool.tools.names import identifiers
from pool.tools.namespace import Namespace
from pool.tools.ranking import Document, Index
from pool.tools.searchable import document
from pool.tools.tool import Tool
from pool.tools.view import View
from pool.wire.messages import CatalogEntry, Listing, Question

# Results of a search that does not say how many it wants (spec T-4).
DEFAULT_RESULTS: Final = 8

# Far more than anybody asks in words. The search is on the event loop, where a query of millions
# of characters would hold up every other run for seconds.
MAX_QUERY_CHARS: Final = 2_000

# Hosts offer a few sets of tools again and again; see `snapshot`.
_SNAPSHOTS: Final = 64


Allows: TypeAlias = Callable[[str], bool]


def everything(_name: str) -> bool:
    """Allows every tool of the catalogue."""
    return True


class Catalog:
    """A frozen set of tools, each with the identifier a program knows it by.

    Tools that no program may call are not in it and leave no trace, not even in the identifiers of
    others.

    Args:
        namespaces: What is known of groups beside their tools.
        shown: Identifiers that a session has shown; see `names.identifiers`.
        for_programs: False for what a model calls by itself: its own tools are in it too.

    Attributes:
        entries: What the program is told, in the order the tools were given.
        listing: The same as it goes to the worker.

    Raises:
        ToolDefinitionError: Two tools have the same canonical name.
    """

    __slots__ = ("_identifiers", "_index", "_named", "_namespaces", "_tools", "entries", "listing")

    def __init__(
        self,
        tools: Iterable[Tool] = (),
        *,
        namespaces: Iterable[Namespace] = (),
        shown: Mapping[str, str] = MappingProxyType({}),
        for_programs: bool = True,
    ) -> None:
        given = _by_name(tools)
        self._tools = {
            name: tool
            for name, tool in given.items()
            if tool.exposure.is_callable or not for_programs
        }
        self._namespaces = {namespace.name: namespace for namespace in namespaces}
        self.entries = tuple(_entries(self._tools.values(), shown))
        self.listing = Listing.of(self.entries)
        self._identifiers = {entry.name: entry.identifier for entry in self.entries}
        # An identifier is looked up first, as in `tools[name]`, and so overwrites.
        self._named = {entry.name: entry for entry in self.entries if entry.is_reached_by_name}
        self._named |= {entry.identifier: entry for entry in self.entries}
        self._index: Index | None = None

    def tool(self, name: str) -> Tool | None:
        """The tool with this canonical name. Rights hang on it, so identifiers do not count."""
        return self._tools.get(name)

    def answer(self, question: Question, argument: Any, allows: Allows = everything) -> Any:
        """Answer what a program asks; plain values, None for what there is not.

        Args:
            argument: For a search `{query, limit?, namespace?}`; for a description `{name}`.
            allows: Whether the tool of a canonical name may be called now; others are not there.

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
                    allows=allows,
                )
            case Question.DESCRIBE:
                return self.describe(_text(fields, "name", "describeTool"), allows)
            case Question.NAMESPACE:
                return self.namespace(_text(fields, "name", "describeNamespace"), allows)
            case Question.SIGNATURES:
                return self.signatures(allows)

    def search(
        self,
        query: str,
        *,
        limit: int = DEFAULT_RESULTS,
        namespace: str | None = None,
        allows: Allows = everything,
    ) -> list[dict[str, str]]:
        """The tools that fit a query, best first: `{name, description, namespace?}` each."""
        if self._index is None:
            self._index = Index(dict(self._documents()))
        found = self._index.search(query, limit=limit, namespace=namespace, among=allows)
        return [self._found(self._tools[match.key]) for match in found.matches]

    def _documents(self) -> Iterator[tuple[str, Document]]:
        for tool in self._tools.values():
            group = self._namespaces.get(tool.namespace or "")
            yield (
                tool.name,
                document(tool, namespace_description=group.description if group else ""),
            )

    def _found(self, tool: Tool) -> dict[str, str]:
        named = {"name": self._identifiers[tool.name], "description": tool.description}
        return named | ({"namespace": tool.namespace} if tool.namespace else {})

    def describe(self, name: str, allows: Allows = everything) -> str | None:
        """The TypeScript declaration of one tool, by identifier or canonical name."""
        entry = self._named.get(name)
        if entry is None or not allows(entry.name):
            return None
        tool = self._tools[entry.name]
        return declaration(
            entry.identifier,
            description=tool.description,
            input_schema=tool.input_schema,
            output_schema=tool.output_schema,
        )

    def signatures(self, allows: Allows = everything) -> dict[str, str]:
        """Every identifier with what its function takes and gives, as a TypeScript type."""
        return {
            entry.identifier: signature(
                input_schema=self._tools[entry.name].input_schema,
                output_schema=self._tools[entry.name].output_schema,
            )
            for entry in self.entries
            if allows(entry.name)
        }

    def namespace(self, name: str, allows: Allows = everything) -> dict[str, Any] | None:
        """A namespace, `{name, description?, instructions?, tools}`, with identifiers of tools."""
        members = [
            entry.identifier
            for entry in self.entries
            if self._tools[entry.name].namespace == name and allows(entry.name)
        ]
        known = self._namespaces.get(name)
        if known is None:
            return {"name": name, "tools": members} if members else None
        words = {"description": known.description, "instructions": known.instructions}
        return {
            "name": name,
            **{field: text for field, text in words.items() if text},
            "tools": members,
        }


def _entries(tools: Iterable[Tool], shown: Mapping[str, str]) -> Iterator[CatalogEntry]:
    tools = tuple(tools)
    assigned = identifiers((tool.name for tool in tools), shown)
    # What stood for one tool never comes to stand for another, nor does a name that equals it.
    reserved = frozenset(shown.values())
    for tool in tools:
        is_reached = tool.name == assigned[tool.name] or tool.name not in reserved
        yield CatalogEntry(assigned[tool.name], tool.name, tool.description, is_reached)


def _by_name(tools: Iterable[Tool]) -> dict[str, Tool]:
    named: dict[str, Tool] = {}
    for tool in tools:
        if not isinstance(tool, Tool):
            raise ToolDefinitionError(f"{tool!r:.80} is not a Tool; put @tool on a function")
        if tool.name in named:
            raise ToolDefinitionError(f"two tools are called {tool.name!r}")
        named[tool.name] = tool
    return named


def snapshot(
    tools: Iterable[Tool], *, namespaces: Iterable[Namespace] = (), view: View | None = None
) -> Catalog:
    """The catalogue of what a run may call of these very tools now.

    Made once for as long as the same is offered again. Tools are compared by identity, and the
    last sets stay in memory with all they refer to.

    Raises:
        ToolDefinitionError: As `Catalog`.
    """
    tools, view = tuple(tools), view or View()
    if view.callable_now is not None:
        now = view.callable_now()
        tools = tuple(tool for tool in tools if not isinstance(tool, Tool) or tool.name in now)
    return _snapshot(tools, tuple(namespaces), tuple(view.shown.items()))


@lru_cache(maxsize=_SNAPSHOTS)
def _snapshot(
    tools: tuple[Tool, ...],
    namespaces: tuple[Namespace, ...],
    shown: tuple[tuple[str, str], ...],
) -> Catalog:
    return Catalog(tools, namespaces=namespaces, shown=dict(shown))


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
