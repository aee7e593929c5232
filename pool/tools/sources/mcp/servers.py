"""All configured servers, each in a task of its own, and what they offer at this moment."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from importlib.util import find_spec
from typing import TYPE_CHECKING

import anyio

from pool.errors import UsageError
from pool.tools.namespace import Namespace
from pool.tools.sources.mcp.backoff import BackOff
from pool.tools.sources.mcp.config import ServerConfig, check_names
from pool.tools.tool import Tool

if TYPE_CHECKING:
    from pool.tools.sources.mcp.server import Server


class McpServers:
    """What the servers offer. Properties are what holds now; none of them waits.

    A server that goes away keeps its tools: calling one says that the server is not connected.

    Attributes:
        namespaces: Of the enabled servers, from the configuration alone: the same at any time.
        version: Counts changes of everything that is told here.
    """

    def __init__(self, configs: Iterable[ServerConfig]) -> None:
        self.namespaces = tuple(
            Namespace(config.name, config.description, is_dynamic=True) for config in configs
        )
        self.version = 0
        self._changed = anyio.Event()
        self._servers: tuple[Server, ...] = ()

    @property
    def tools(self) -> tuple[Tool, ...]:
        """Of all servers, in the order of the configuration. Unchanged tools are the same objects.

        Hidden ones are among them: their exposure says so.
        """
        return tuple(tool for server in self._servers for tool in server.offered.tools)

    @property
    def instructed_namespaces(self) -> tuple[Namespace, ...]:
        """The namespaces with the instructions that their servers gave when they connected."""
        given = {server.config.name: server.instructions for server in self._servers}
        return tuple(replace(one, instructions=given[one.name]) for one in self.namespaces)

    @property
    def unconnected(self) -> tuple[str, ...]:
        """Names of the enabled servers that are not connected."""
        return tuple(self.reasons)

    @property
    def reasons(self) -> Mapping[str, str]:
        """Why each unconnected server is not connected, by name; holds no secret."""
        servers = [server for server in self._servers if not server.is_connected]
        return {server.config.name: server.reason for server in servers}

    @property
    def faults(self) -> Mapping[str, tuple[str, ...]]:
        """What is wrong with definitions of each server, by name; sound servers are not in it."""
        given = {server.config.name: server.offered.faults for server in self._servers}
        return {name: faults for name, faults in given.items() if faults}

    def last_words(self, name: str) -> str:
        """The end of what a server's process wrote to its standard error, 64 KiB at most.

        For the operator: a server may write anything there, secrets too.

        Raises:
            KeyError: No enabled server has this name.
        """
        return {server.config.name: server for server in self._servers}[name].words.text()

    async def ready(self, timeout_s: float) -> bool:
        """Wait until each server has listed its tools or failed to, `timeout_s` seconds at most.

        Returns:
            Whether all of them are connected.
        """
        with anyio.move_on_after(timeout_s):
            for server in self._servers:
                await server.settled.wait()
        return not self.unconnected

    async def wait_changed(self, version: int) -> int:
        """Wait until `version` is not the current one, and return that. Bound it."""
        while self.version == version:
            await self._changed.wait()
        return self.version

    def _note_change(self) -> None:
        self.version += 1
        self._changed.set()
        self._changed = anyio.Event()


@asynccontextmanager
async def open_servers(
    configs: Iterable[ServerConfig],
    *,
    back_off: BackOff | None = None,
    jitter: Callable[[], float] = random.random,  # noqa: S311 - spreads pauses, keeps no secret
) -> AsyncIterator[McpServers]:
    """Connect to servers for as long as the context is open. Entering waits for none of them.

    Args:
        configs: As `read_config` gives them; disabled ones are passed over.
        back_off: When a server that failed is tried again.
        jitter: From 0 to 1, for each pause anew.

    Raises:
        UsageError: The extra is not installed, or two names could name the same tool.

    Cancellation:
        Leaving stops all processes at once; that takes about 6 s at most, under a shield.
    """
    enabled = tuple(config for config in configs if config.enabled)
    _check(enabled)
    from pool.tools.sources.mcp.server import Server

    servers = McpServers(enabled)
    servers._servers = tuple(
        Server(
            config,
            back_off=back_off or BackOff(),
            jitter=jitter,
            on_change=servers._note_change,
        )
        for config in enabled
    )
    try:
        async with anyio.create_task_group() as tasks:
            for server in servers._servers:
                tasks.start_soon(server.run)
            try:
                yield servers
            finally:
                tasks.cancel_scope.cancel()
    except BaseExceptionGroup as group:
        # The servers' tasks raise nothing: it is what the caller raised, wrapped by the task group.
        if len(group.exceptions) > 1:
            raise
        raise group.exceptions[0] from None


def _check(configs: tuple[ServerConfig, ...]) -> None:
    try:
        check_names(configs)
    except ValueError as error:
        raise UsageError(str(error)) from error
    if configs and find_spec("mcp") is None:
        raise UsageError("MCP servers need more packages: pip install 'codepool[mcp]'")
