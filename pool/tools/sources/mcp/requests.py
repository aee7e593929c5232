"""A call of a program, as a request of the protocol, and the result as a program gets it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, Protocol

import mcp_types as types
from mcp.shared.dispatcher import ProgressFnT

from pool.errors import ToolError
from pool.tools.arguments import path_text
from pool.tools.sources.mcp.link import MAX_PAGES, Link
from pool.tools.sources.mcp.offers import Action, Offer

# The protocol's own, of no use to a program.
_ENVELOPE: Final = frozenset({"_meta", "resultType", "ttlMs", "cacheScope", "nextCursor"})


class Progress(Protocol):
    """Who is told how far a call is: the `ToolContext` of the call."""

    def progress(self, message: str, done: float | None = None, total: float | None = None) -> None:
        """Take one report; does not wait."""


async def carry_out(link: Link, offer: Offer, argument: Any, context: Progress | None) -> Any:
    """Ask the server for what a call wants.

    Returns:
        The result as plain data. Of a tool always with `content` and `isError`.

    Raises:
        ToolError: The argument cannot be sent, or the server asks for what a program cannot give.
        MCPError, pydantic.ValidationError: As `Link.request` does.
    """
    if not isinstance(argument, dict):
        raise ToolError("the argument must be one object")
    for path in _bytes_in(argument, ()):
        raise ToolError(f"{path_text('argument', path)}: MCP carries no bytes; give base64 text")
    on_progress = _reporter(context)
    match offer.action:
        case Action.CALL_TOOL:
            call = types.CallToolRequestParams(name=offer.name, arguments=argument)
            result = await _asked(link, types.CallToolRequest(params=call), on_progress)
            return {"content": [], "isError": False, **result}
        case Action.READ_RESOURCE:
            read = types.ReadResourceRequestParams(uri=argument["uri"])
            return await _asked(link, types.ReadResourceRequest(params=read), on_progress)
        case Action.GET_PROMPT:
            get = types.GetPromptRequestParams(**argument)
            return await _asked(link, types.GetPromptRequest(params=get), on_progress)
        case _:
            return await _pages(link, offer.action)


async def _asked(
    link: Link, request: types.ClientRequest, on_progress: ProgressFnT | None
) -> dict[str, Any]:
    result = await link.request(request, on_progress=on_progress)
    if result.get("resultType") == "input_required":
        raise ToolError("the server asks a person for input, which a program cannot give")
    return {key: result[key] for key in result if key not in _ENVELOPE}


async def _pages(link: Link, action: Action) -> dict[str, Any]:
    request, key = _LISTS[action]
    items: list[Any] = []
    cursor = None
    for _ in range(MAX_PAGES):
        params = types.PaginatedRequestParams(cursor=cursor)
        page = await link.request(request(params=params))
        items += page.get(key, [])
        if not page.get("nextCursor") or page["nextCursor"] == cursor:
            break
        cursor = page["nextCursor"]
    return {key: items}


_LISTS: Final[dict[Action, tuple[Any, str]]] = {
    Action.LIST_RESOURCES: (types.ListResourcesRequest, "resources"),
    Action.LIST_RESOURCE_TEMPLATES: (types.ListResourceTemplatesRequest, "resourceTemplates"),
    Action.LIST_PROMPTS: (types.ListPromptsRequest, "prompts"),
}


def _reporter(context: Progress | None) -> ProgressFnT | None:
    if context is None:
        return None

    async def report(progress: float, total: float | None, message: str | None) -> None:
        context.progress(message or "", progress, total)

    return report


def _bytes_in(value: Any, path: tuple[str | int, ...]) -> Iterator[tuple[str | int, ...]]:
    """Where in an argument bytes are."""
    match value:
        case bytes():
            yield path
        case dict():
            for key, item in value.items():
                yield from _bytes_in(item, (*path, key))
        case list():
            for index, item in enumerate(value):
                yield from _bytes_in(item, (*path, index))
