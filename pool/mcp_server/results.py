"""Outcomes as results of MCP tool calls: text, images, and the document beside them."""

from __future__ import annotations

import base64
import json
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import mcp_types as types
from anyio import to_thread
from pydantic import ValidationError

from pool.program.outcome import ImageItem, Outcome, to_json
from pool.program.positions import well_formed
from pool.program.render import render

# Characters of JSON. Larger documents are of no use to a client, and the text has its own budget.
MAX_DOCUMENT_CHARS: Final = 1_048_576

# What may be large in a document, in the order in which it is left out.
_LARGE: Final = ("output", "console", "value", "store", "calls", "notes", "error")

# Fields of a server's answer, as tools of MCP servers give it.
_OF_SERVERS: Final = frozenset({"content", "structuredContent", "isError"})


async def of_outcome(outcome: Outcome) -> types.CallToolResult:
    """The result that shows an outcome to a client.

    The structured document leaves out its large fields, named in `left_out`, as far as it would
    pass `MAX_DOCUMENT_CHARS`.
    """
    shown = render(outcome)
    images = await to_thread.run_sync(lambda: [_image(item) for item in shown.images])
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=shown.text), *images],
        structured_content=document(outcome),
        is_error=not outcome.is_completed,
    )


def of_value(value: Any) -> types.CallToolResult:
    """The result of a direct tool: texts as they are, other values as JSON.

    What another server has answered is handed on as it is.
    """
    data = _sendable(to_json(value))
    if isinstance(data, dict) and "content" in data and data.keys() <= _OF_SERVERS:
        with suppress(ValidationError):  # then it only looks like an answer
            return types.CallToolResult.model_validate(data)
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=text)],
        structured_content=data if isinstance(data, dict) else None,
    )


def of_failure(message: str) -> types.CallToolResult:
    """The result of a call that failed, in its own words."""
    content: list[types.ContentBlock] = [types.TextContent(type="text", text=well_formed(message))]
    return types.CallToolResult(content=content, is_error=True)


def document(outcome: Outcome) -> dict[str, Any]:
    """The outcome's document within `MAX_DOCUMENT_CHARS`."""
    whole: dict[str, Any] = _sendable(outcome.to_dict())
    sizes = {name: len(json.dumps(part)) for name, part in whole.items()}
    left_out = []
    for name in _LARGE:
        if sum(sizes.values()) > MAX_DOCUMENT_CHARS and name in sizes:
            left_out.append(name)
            del sizes[name], whole[name]
    return whole | ({"left_out": left_out} if left_out else {})


def _image(item: ImageItem) -> types.ImageContent:
    data = base64.b64encode(Path(item.path).read_bytes()).decode("ascii")
    return types.ImageContent(type="image", data=data, mime_type=item.mime_type)


def _sendable(data: Any) -> Any:
    """JSON data whose texts UTF-8 can carry; tools may hand over half a character."""
    return json.loads(well_formed(json.dumps(data, ensure_ascii=False)))
