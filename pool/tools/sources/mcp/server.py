"""One configured server: a task that connects, lists, listens, and connects again.

Everything it tells is safe to read at any time: what the last listing offered, whether it is
connected, and why not. A call goes to the connection there is, and never waits for one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final

import anyio
from mcp.shared.exceptions import MCPError
from mcp_types.jsonrpc import CONNECTION_CLOSED
from pydantic import ValidationError

from pool.errors import ToolError
from pool.tools.sources.mcp.backoff import BackOff
from pool.tools.sources.mcp.config import ServerConfig
from pool.tools.sources.mcp.link import Link, linked
from pool.tools.sources.mcp.offers import Action, Offer, Offered, effect_of, extras, offered
from pool.tools.sources.mcp.reasons import reason_of
from pool.tools.sources.mcp.requests import Progress, carry_out
from pool.tools.sources.mcp.transport import LastWords

# From the start of a process to its first list of tools. `npx` may have to download the server.
CONNECT_S: Final = 60.0

# Between two listings: a server that announces a change at each of them must not keep both busy.
RELIST_GAP_S: Final = 0.2


class Server:
    """Runs until cancelled.

    Args:
        config: Enabled.
        back_off: When to try again.
        jitter: From 0 to 1, for each pause anew.
        on_change: Called when tools, faults, or the state of the connection changed.

    Attributes:
        settled: Set when the first attempt has listed tools, or failed.
    """

    def __init__(
        self,
        config: ServerConfig,
        *,
        back_off: BackOff,
        jitter: Callable[[], float],
        on_change: Callable[[], None],
    ) -> None:
        self.config = config
        self.settled = anyio.Event()
        self.offered = Offered()
        self.instructions = ""
        self.reason = "it is not connected yet"
        self.words = LastWords()
        self._back_off = back_off
        self._jitter = jitter
        self._on_change = on_change
        self._link: Link | None = None
        self._connected_at = math.inf

    @property
    def is_connected(self) -> bool:
        return self._link is not None and not self._link.lost.is_set()

    async def run(self) -> None:
        """Stay connected, as far as the server lets.

        Cancellation:
            Ends the connection and the process; see `transport`.
        """
        failures = 0
        while True:
            self._connected_at = math.inf
            try:
                await self._connect()
            except Exception as error:
                self.reason = reason_of(error, self.config)
            lasted_s = max(anyio.current_time() - self._connected_at, 0)
            failures = self._back_off.failures_after(failures, lasted_s=lasted_s)
            self.settled.set()
            self._on_change()
            await anyio.sleep(self._back_off.pause_s(failures, jitter=self._jitter()))

    async def _connect(self) -> None:
        """One connection, from its start to its end."""
        with anyio.CancelScope(deadline=anyio.current_time() + CONNECT_S) as attempt:
            async with linked(self.config, self.words) as link, anyio.create_task_group() as tasks:
                tasks.start_soon(link.listen)
                await link.hears.wait()
                await self._list(link)
                attempt.deadline = math.inf
                tasks.start_soon(self._follow, link)
                try:
                    self._begin(link)
                    await link.lost.wait()
                finally:
                    # At once: who calls now must not wait for a process that is being stopped.
                    self._link = None
                tasks.cancel_scope.cancel()
        if attempt.cancelled_caught:
            raise TimeoutError

    def _begin(self, link: Link) -> None:
        self._link = link
        self.reason = "the connection ended"  # once it will have
        self._connected_at = anyio.current_time()
        self.instructions = link.client.instructions or ""
        self.settled.set()
        self._on_change()

    async def _follow(self, link: Link) -> None:
        """List again whenever the server says that something changed."""
        while True:
            await link.stale.wait()
            link.stale = anyio.Event()
            try:
                await self._list(link)
            except (MCPError, ValidationError, TimeoutError) as error:
                link.faults.append(f"its tools could not be listed again: {self._text(error)}")
            self._on_change()
            await anyio.sleep(RELIST_GAP_S)

    async def _list(self, link: Link) -> None:
        has_tools = link.capabilities.tools is not None
        definitions = await link.tools() if has_tools else []
        offers = [*_offers(definitions), *_extras(link)]
        new = offered(self.config, offers, handler_of=self._handler, before=self.offered)
        self.offered = Offered(new.made, (*link.faults, *new.faults))

    def _handler(self, offer: Offer) -> Callable[..., Any]:
        return partial(self.call, offer)

    async def call(self, offer: Offer, argument: Any, context: Progress | None = None) -> Any:
        """Run one call.

        Args:
            offer: What to call.
            argument: One object.
            context: Told of the server's progress.

        Raises:
            ToolError: The server refused in its own words, is not connected, or went away.

        Cancellation:
            The server is told that nobody waits any more.
        """
        link = self._link
        if link is None or link.lost.is_set():
            raise ToolError(f"the MCP server {self.config.name} is not connected: {self.reason}")
        try:
            return await carry_out(link, offer, argument, context)
        except (MCPError, ValidationError) as error:
            raise ToolError(self._text(error)) from error
        except (anyio.ClosedResourceError, anyio.BrokenResourceError) as error:
            raise ToolError(self._gone()) from error

    def _text(self, error: Exception) -> str:
        if not isinstance(error, MCPError):
            return f"the MCP server {self.config.name}: {reason_of(error, self.config)}"
        return self._gone() if error.code == CONNECTION_CLOSED else error.error.message

    def _gone(self) -> str:
        return (
            f"the MCP server {self.config.name} went away during the call; "
            "whether it did its work is not known"
        )


def _offers(definitions: list[Any]) -> Iterator[Offer]:
    for tool in definitions:
        hints = tool.annotations
        yield Offer(
            name=tool.name,
            action=Action.CALL_TOOL,
            description=tool.description or tool.title or "",
            input_schema=tool.input_schema,
            output_schema=tool.output_schema,
            effect=effect_of(
                read_only=hints and hints.read_only_hint, idempotent=hints and hints.idempotent_hint
            ),
        )


def _extras(link: Link) -> tuple[Offer, ...]:
    capabilities = link.capabilities
    return extras(
        resources=capabilities.resources is not None, prompts=capabilities.prompts is not None
    )
