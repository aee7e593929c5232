"""What arrives from a server, watched on its way to the SDK.

Two things the SDK does not tell: that the stream ended, and which tool of a listing spoils it. One
definition that breaks the protocol would cost the whole listing; here it is mended or left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any, Self

import anyio
from mcp.client._transport import ReadStream
from mcp.shared.message import SessionMessage
from mcp_types import methods
from mcp_types.jsonrpc import JSONRPCResponse
from mcp_types.version import LATEST_HANDSHAKE_VERSION, LATEST_MODERN_VERSION
from pydantic import ValidationError


class WatchedStream:
    """The read side of a transport.

    Args:
        inner: The transport's own, owned here.
        on_end: Called once when nothing more will come.
        on_fault: Told of each tool definition that was mended or left out.
    """

    def __init__(
        self,
        inner: ReadStream[SessionMessage | Exception],
        *,
        on_end: Callable[[], None],
        on_fault: Callable[[str], None],
    ) -> None:
        self._inner = inner
        self._on_end = on_end
        self._on_fault = on_fault

    @property
    def last_context(self) -> Any:
        """The sender's context variables, where the transport keeps them."""
        return getattr(self._inner, "last_context", None)

    async def receive(self) -> SessionMessage | Exception:
        """The next message.

        Raises:
            anyio.EndOfStream: The transport ended.
            anyio.ClosedResourceError: It was closed here.
        """
        try:
            item = await self._inner.receive()
        except (anyio.EndOfStream, anyio.ClosedResourceError):
            self._on_end()
            raise
        if isinstance(item, SessionMessage) and isinstance(item.message, JSONRPCResponse):
            self._mend(item.message.result)
        return item

    def _mend(self, result: dict[str, Any]) -> None:
        if isinstance(result.get("tools"), list) and not _is_valid(result):
            result["tools"] = list(_mended(result, self._on_fault))

    async def aclose(self) -> None:
        await self._inner.aclose()
        self._on_end()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_val: BaseException | None,
        exc_tb: TracebackType | None,
    ) -> None:
        await self.aclose()


def _mended(result: dict[str, Any], on_fault: Callable[[str], None]) -> Iterator[Any]:
    """The definitions of a listing, each as the protocol allows it; the hopeless left out."""
    for definition in result["tools"]:
        variants = list(_variants(definition))
        valid = (one for one in variants if _is_valid({**result, "tools": [one]}))
        kept = next(valid, None)
        if kept is not definition:
            what = "is left out" if kept is None else "is offered with what is sound of it"
            on_fault(f"{_name(definition)}: breaks the protocol and {what}")
        if kept is not None:
            yield kept


def _variants(definition: Any) -> Iterator[Any]:
    """The definition, and what can be saved of it, best first."""
    yield definition
    if not isinstance(definition, dict):
        return
    schema = definition.get("inputSchema")
    if isinstance(schema, dict):
        yield {**definition, "inputSchema": {**schema, "type": "object"}}
        least = {key: definition.get(key) for key in ("name", "description")}
        yield {**least, "inputSchema": {**schema, "type": "object"}}
    yield {"name": definition.get("name"), "inputSchema": {"type": "object"}}


def _is_valid(result: dict[str, Any]) -> bool:
    version = LATEST_MODERN_VERSION if "resultType" in result else LATEST_HANDSHAKE_VERSION
    try:
        methods.validate_server_result("tools/list", version, result)
    except ValidationError:
        return False
    return True


def _name(definition: Any) -> str:
    name = definition.get("name") if isinstance(definition, dict) else None
    return f"tool {name!r:.80}" if isinstance(name, str) else "a tool without name"
