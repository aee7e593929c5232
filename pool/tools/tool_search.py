"""`tool_search`: the model looks for tools it is not declared yet, and gets them (spec D-1 to D-5).

Pure: a search gives a new selection, and whoever keeps the session keeps that. It runs nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from pool.errors import ToolError
from pool.tools.namespace import Namespace
from pool.tools.ranking import Found, Index
from pool.tools.searchable import document
from pool.tools.selection import Selection
from pool.tools.tool import Tool

DEFAULT_RESULTS: Final = 8

# Nobody reads more declarations than this; each of them costs the model's context.
MAX_RESULTS: Final = 50

# Far more than anybody asks in words, as in `searchTools`.
MAX_QUERY_CHARS: Final = 2_000

INPUT_SCHEMA: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {
        "query": {
            "type": "string",
            "minLength": 1,
            "maxLength": MAX_QUERY_CHARS,
            "description": "What the tools should do, in words, or the names of tools",
        },
        "limit": {
            "type": "integer",
            "minimum": 1,
            "default": DEFAULT_RESULTS,
            "description": f"How many tools to load at most, up to {MAX_RESULTS}",
        },
    },
    "required": ["query"],
    "additionalProperties": False,
}
DESCRIPTION: Final = (
    "Finds tools that are not declared yet and loads them: their declarations are there from your "
    "next turn on. It runs none of them."
)

_INDEXES: Final = 16
_ADVISED: Final = 3


@dataclass(frozen=True, slots=True)
class ToolSearchResult:
    """What a search answers.

    Attributes:
        text: For the model.
        loaded: Names that are active now and were not before, best first.
        weak: Those of them that cover little of what was asked.
        total: How many tools matched; more than were loaded when the limit cut them.
        selection: The session's tools from the next request on.
    """

    text: str
    loaded: tuple[str, ...]
    weak: tuple[str, ...]
    total: int
    selection: Selection

    @property
    def details(self) -> dict[str, Any]:
        """The structured part of the result."""
        return {
            "loaded": list(self.loaded),
            "weak": list(self.weak),
            "total": self.total,
            "truncated": self.total > len(self.loaded),
        }


def tool_search(
    argument: Any,
    selection: Selection,
    *,
    namespaces: Sequence[Namespace] = (),
    unconnected: Sequence[str] = (),
) -> ToolSearchResult:
    """Search the inactive tools and load what fits.

    Args:
        argument: `{query, limit = 8}`.
        unconnected: Names of servers whose tools nobody knows at the moment.

    Raises:
        ToolError: The argument is not of this form; says what is wrong.
    """
    query, limit = _checked(argument)
    index = _index(selection.tools, tuple(namespaces))
    may = {tool.name for tool in selection.loadable}
    found = index.search(query, limit=limit, among=may.__contains__)
    loaded = tuple(match.key for match in found.matches)
    weak = tuple(match.key for match in found.matches if match.is_weak)
    text = _loaded_text(found) if loaded else _nothing_text(query, selection, index, unconnected)
    return ToolSearchResult(text, loaded, weak, found.total, selection.load(loaded))


@lru_cache(maxsize=_INDEXES)
def _index(tools: tuple[Tool, ...], namespaces: tuple[Namespace, ...]) -> Index:
    """What is found is filtered at each search, so an index knows nothing of who may see what."""
    described = {namespace.name: namespace.description for namespace in namespaces}
    return Index(
        {
            tool.name: document(tool, namespace_description=described.get(tool.namespace or "", ""))
            for tool in tools
        }
    )


def _checked(argument: Any) -> tuple[str, int]:
    if not isinstance(argument, Mapping):
        raise ToolError("tool_search needs an object: {query, limit}")
    unknown = sorted(str(name) for name in argument.keys() - {"query", "limit"})
    if unknown:
        raise ToolError(f"tool_search knows query and limit, not {', '.join(unknown)}"[:200])
    query, limit = argument.get("query"), argument.get("limit", DEFAULT_RESULTS)
    if not isinstance(query, str) or not query.strip():
        raise ToolError("tool_search: query must be a text that is not empty")
    if len(query) > MAX_QUERY_CHARS:
        raise ToolError(
            f"tool_search: query has {len(query)} characters, the limit is {MAX_QUERY_CHARS}"
        )
    if isinstance(limit, float) and limit.is_integer():
        limit = int(limit)
    if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
        raise ToolError("tool_search: limit must be a positive whole number")
    return query, min(limit, MAX_RESULTS)


def _loaded_text(found: Found) -> str:
    lines = [f"Loaded {len(found.matches)} of {found.total} tools that match; best first:"]
    lines += [
        f"- {match.key}{' (a weak match)' if match.is_weak else ''}" for match in found.matches
    ]
    return "\n".join([*lines, "Their declarations are there from the next turn on."])


def _nothing_text(
    query: str, selection: Selection, index: Index, unconnected: Sequence[str]
) -> str:
    """Says what was searched; that nothing was found there proves nothing about other places."""
    lines = [f"None of the {len(selection.loadable)} tools that could be loaded matches."]
    active = index.search(query, limit=_ADVISED, among=selection.active.__contains__)
    already = [match.key for match in active.matches if not match.is_weak]
    if already:
        lines.append(f"Already active and matching: {', '.join(already)}.")
    if unconnected:
        names = ", ".join(sorted(unconnected))
        lines.append(f"Not searched, because they are not connected: {names}.")
    return "\n".join(lines)
