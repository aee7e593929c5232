"""Tools of all kinds of sources, as one: what a host offers at this moment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pool.tools.namespace import Namespace
from pool.tools.sources.mcp import McpServers
from pool.tools.sources.openapi import Skipped
from pool.tools.tool import Tool


@dataclass(frozen=True, slots=True, eq=False)
class Sources:
    """What has been opened. Properties are what holds now; none of them waits.

    Attributes:
        own: Tools that are there as long as this is.
        groups: Namespaces of those.
        servers: MCP servers, whose tools come and go.
        skipped: Operations of OpenAPI documents that are no tools, by the document's name.
    """

    own: tuple[Tool, ...] = ()
    groups: tuple[Namespace, ...] = ()
    servers: McpServers | None = None
    skipped: Mapping[str, Sequence[Skipped]] = field(default_factory=dict)

    @property
    def tools(self) -> tuple[Tool, ...]:
        return (*self.own, *(self.servers.tools if self.servers else ()))

    @property
    def namespaces(self) -> tuple[Namespace, ...]:
        """With what servers said of themselves when they connected."""
        return (*self.groups, *(self.servers.instructed_namespaces if self.servers else ()))

    @property
    def unconnected(self) -> Sequence[str]:
        """Names of the servers whose tools nobody knows at the moment."""
        return self.servers.unconnected if self.servers else ()

    @property
    def version(self) -> int:
        """Counts changes of everything that is told here."""
        return self.servers.version if self.servers else 0
