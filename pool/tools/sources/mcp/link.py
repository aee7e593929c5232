"""One connection to one server, from the handshake to its end. Knows no tools of ours.

Reconnecting is not decided here: a link ends once and is not used again.
"""

from __future__ import annotations

import math
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

import anyio
import mcp_types as types
from mcp.client import Client, IncomingMessage
from mcp.client._transport import TransportStreams
from mcp.client.subscriptions import SubscriptionLost
from mcp.shared.dispatcher import ProgressFnT
from mcp.shared.exceptions import MCPError
from mcp_types.jsonrpc import INVALID_REQUEST
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import BaseModel, ConfigDict

from pool.tools.sources.mcp.config import ServerConfig
from pool.tools.sources.mcp.stream import WatchedStream
from pool.tools.sources.mcp.transport import LastWords, transport

# To acknowledge that changes are listened for. Without it the link works, and hears of no change.
LISTEN_ACK_S: Final = 5.0

# Between two attempts to listen again: a server that ends each stream at once is asked seldom.
RELISTEN_PAUSE_S: Final = 5.0

# One page of a list. A server that computes its list for longer is as good as stuck.
LIST_PAGE_S: Final = 30.0

# A server whose pages never end is stopped here; 1,000 pages of 100 are more than anybody offers.
MAX_PAGES: Final = 1_000


class _Result(BaseModel):
    """A result as it was sent: nothing is converted, so nothing is lost."""

    model_config = ConfigDict(extra="allow")


class Link:
    """A connection whose handshake is done.

    Attributes:
        client: The SDK's.
        lost: Set when the connection has ended or is of no more use.
        hears: Set when a change of the list of tools would be heard of, or never will be.
        stale: Set when the server's list of tools may have changed; replaced by who lists it.
        faults: What was wrong with definitions of the latest listing.
    """

    def __init__(self) -> None:
        self.client: Client
        self.lost = anyio.Event()
        self.hears = anyio.Event()
        self.stale = anyio.Event()
        self.faults: list[str] = []

    @property
    def capabilities(self) -> types.ServerCapabilities:
        return self.client.server_capabilities

    async def request(
        self, request: types.ClientRequest, *, on_progress: ProgressFnT | None = None
    ) -> dict[str, Any]:
        """Send a request and return its result as it was sent.

        Raises:
            MCPError: The server refused, or the connection ended.
            pydantic.ValidationError: The answer breaks the protocol.

        Cancellation:
            The server is told; that takes 5 s at most, under a shield of the SDK.
        """
        try:
            result = await self.client.session.send_request(
                request, _Result, progress_callback=on_progress
            )
        except MCPError as error:
            if error.code == INVALID_REQUEST and error.message == "Session terminated":
                self.lost.set()  # how the SDK spells that an HTTP server was restarted
            raise
        return dict(result.model_extra or {})

    async def tools(self) -> list[types.Tool]:
        """Every page of the server's tools.

        Raises:
            MCPError, pydantic.ValidationError: As `request` does.
            TimeoutError: A page took longer than `LIST_PAGE_S`.
        """
        self.faults.clear()
        tools: list[types.Tool] = []
        cursor = None
        for _ in range(MAX_PAGES):
            with anyio.fail_after(LIST_PAGE_S):
                page = await self.client.list_tools(cursor=cursor)
            tools += page.tools
            if not page.next_cursor or page.next_cursor == cursor:
                return tools
            cursor = page.next_cursor
        self.faults.append(f"the list of tools has more than {MAX_PAGES} pages")
        return tools

    async def listen(self) -> None:
        """Hear of changed tools for as long as the link lives, and set `hears` once it does.

        Servers of the older protocol send word by themselves, so there is nothing to do for them.
        """
        try:
            while self.client.protocol_version in MODERN_PROTOCOL_VERSIONS:
                with suppress(SubscriptionLost):
                    await self._hear()
                self.hears.set()
                await anyio.sleep(RELISTEN_PAUSE_S)
        except MCPError:
            pass  # it does not serve this
        finally:
            self.hears.set()

    async def _hear(self) -> None:
        with anyio.CancelScope(deadline=anyio.current_time() + LISTEN_ACK_S) as scope:
            async with self.client.listen(tools_list_changed=True) as changes:
                scope.deadline = math.inf
                if self.hears.is_set():
                    self.stale.set()  # what changed since the last stream was said to nobody
                self.hears.set()
                async for _ in changes:
                    self.stale.set()


@asynccontextmanager
async def linked(config: ServerConfig, words: LastWords) -> AsyncIterator[Link]:
    """A connection after its handshake. Waits as long as the server does: bound it.

    Raises:
        OSError, MCPError, httpx2.HTTPError: It cannot be made; also in a group of one.
    """
    link = Link()

    async def hear(message: IncomingMessage) -> None:
        if isinstance(message, types.ToolListChangedNotification):
            link.stale.set()

    client = Client(
        _watched(config, words, link.lost.set, link.faults.append),
        client_info=types.Implementation(name="codepool", version=_version()),
        message_handler=hear,
        cache=None,
    )
    async with client:
        link.client = client
        yield link


@asynccontextmanager
async def _watched(
    config: ServerConfig,
    words: LastWords,
    on_end: Callable[[], None],
    on_fault: Callable[[str], None],
) -> AsyncIterator[TransportStreams]:
    async with transport(config, words) as (incoming, outgoing):
        yield WatchedStream(incoming, on_end=on_end, on_fault=on_fault), outgoing


def _version() -> str:
    try:
        return version("codepool")
    except PackageNotFoundError:
        return "unknown"
