"""What the options for tools name, opened: the same for every command."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, TypeAlias

import typer

from pool.cli.exits import WrongUse
from pool.cli.tool_files import check_names, load_tools
from pool.tools.sources.mcp import ServerConfig, open_servers, read_config
from pool.tools.sources.openapi import ApiConfig, open_openapi
from pool.tools.sources.openapi import read_config as read_api_config
from pool.tools.sources.opened import Sources
from pool.tools.tool import Tool
from pool.tools.workspace import workspace_tools

# A server that a package manager has to fetch first takes longer, and is there for the next call.
READY_S: Final = 20.0

ToolFiles: TypeAlias = Annotated[
    list[Path] | None,
    typer.Option("--tools", metavar="FILE.py", help="Offer the tools of a Python file."),
]
Workspace: TypeAlias = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="Offer read, ls, find and grep inside a directory."),
]
AllowBash: TypeAlias = Annotated[
    bool, typer.Option("--allow-bash", help="With --workspace: offer bash, unconfined.")
]
McpFiles: TypeAlias = Annotated[
    list[Path] | None,
    typer.Option(
        "--mcp", metavar="FILE.json", help="Offer the tools of the MCP servers that a file names."
    ),
]
ApiFiles: TypeAlias = Annotated[
    list[Path] | None,
    typer.Option(
        "--openapi",
        metavar="FILE.json",
        help="Offer the operations of the OpenAPI documents that a file names.",
    ),
]


@dataclass(frozen=True, slots=True)
class Named:
    """What the command line named: read and checked, nothing of it started."""

    own: tuple[Tool, ...]
    servers: tuple[ServerConfig, ...]
    apis: tuple[ApiConfig, ...]

    @property
    def is_empty(self) -> bool:
        return not (self.own or self.servers or self.apis)


def named_sources(
    files: Sequence[Path] | None,
    workspace: Path | None,
    mcp: Sequence[Path] | None = None,
    openapi: Sequence[Path] | None = None,
    *,
    allow_bash: bool,
) -> Named:
    """The sources that the options name, in the order they were named.

    Raises:
        WrongUse: A source cannot be used, or two tools or servers have one name.
        UsageError: A file of configuration is not usable; says which and why.
    """
    if allow_bash and workspace is None:
        raise WrongUse("--allow-bash needs --workspace, the directory in which bash starts")
    if workspace is not None and not workspace.is_dir():
        raise WrongUse(f"--workspace {workspace}: no such directory")
    tools = [tool for file in files or () for tool in load_tools(file)]
    if workspace is not None:
        tools += workspace_tools(workspace, allow_bash=allow_bash)
    check_names(tools)
    servers = tuple(server for file in mcp or () for server in read_config(file))
    apis = tuple(api for file in openapi or () for api in read_api_config(file))
    _check_groups([*(each.name for each in servers), *(each.name for each in apis)])
    return Named(tuple(tools), servers, apis)


def _check_groups(names: Sequence[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise WrongUse(f"two servers or documents are called {name!r}")


@asynccontextmanager
async def opened(named: Named, *, wait_s: float = READY_S) -> AsyncIterator[Sources]:
    """The sources, for as long as the context is open.

    Args:
        wait_s: How long to wait for servers to tell their tools. One that takes longer, or does
            not connect, is passed over and named in `Sources.unconnected`.

    Raises:
        UsageError: A document is not usable, or an extra that is needed is not installed.
    """
    async with AsyncExitStack() as stack:
        apis = await stack.enter_async_context(open_openapi(named.apis))
        servers = None
        if named.servers:
            servers = await stack.enter_async_context(open_servers(named.servers))
            await servers.ready(wait_s)
        yield Sources((*named.own, *apis.tools), apis.namespaces, servers, apis.skipped)
