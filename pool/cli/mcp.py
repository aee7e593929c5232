"""`codepool mcp`: an MCP server over tools, at the standard streams or over HTTP.

Standard output belongs to the protocol; everything for people goes to standard error.
"""

from __future__ import annotations

import signal
import socket
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import redirect_stdout
from functools import partial
from importlib.util import find_spec
from ipaddress import ip_address
from typing import TYPE_CHECKING, Annotated, Final

import anyio
import typer

from pool.cli.exits import ExitCode, WrongUse, complain
from pool.cli.sources import (
    AllowBash,
    ApiFiles,
    McpFiles,
    Named,
    ToolFiles,
    Workspace,
    named_sources,
    opened,
)
from pool.engine import DEFAULT_CONFINEMENT, Confinement, Pool
from pool.errors import Unavailable, UsageError
from pool.limits import Limits
from pool.tools.sources.opened import Sources

if TYPE_CHECKING:
    from pool.mcp_server.offer import Settings

MODES: Final = ("on", "only")

# As `pool.mcp_server.offer.DEFAULT_INLINE_TOKENS`; other commands do without that room.
INLINE_TOKENS: Final = 3_000

_Serve = Callable[[Pool, "Settings"], Awaitable[None]]


def mcp(
    http: Annotated[
        str | None,
        typer.Option(metavar="HOST:PORT", help="Serve streamable HTTP there instead of stdio."),
    ] = None,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            "--allow-host",
            metavar="NAME",
            help="With --http: a name by which other machines reach the server.",
        ),
    ] = None,
    tools: ToolFiles = None,
    workspace: Workspace = None,
    allow_bash: AllowBash = False,
    servers: McpFiles = None,
    openapi: ApiFiles = None,
    selected: Annotated[
        str | None,
        typer.Option(
            "--select", metavar="RULES", help="Tools by name, or +name,-name to add and remove."
        ),
    ] = None,
    mode: Annotated[
        str,
        typer.Option(metavar="on|only", help="Direct tools beside codemode, or codemode only."),
    ] = "on",
    inline_budget: Annotated[
        int, typer.Option(metavar="N", help="Tokens of tool documentation; 0 for none.", min=0)
    ] = INLINE_TOKENS,
    timeout_ms: Annotated[
        int | None, typer.Option(metavar="N", help="Wall time of a run, the start included.")
    ] = None,
    memory_mib: Annotated[
        int | None, typer.Option(metavar="N", help="Everything a program allocates.")
    ] = None,
    confinement: Annotated[
        Confinement,
        typer.Option(help="Without a layer of the kernel's: refuse, go on, or want none."),
    ] = DEFAULT_CONFINEMENT,
) -> None:
    """Serve the tool codemode, and direct tools, to MCP clients.

    Exit code: 0 the client has gone, 2 wrong use, 3 unavailable.
    """
    names = tuple(allow_host or ())
    given = {"timeout_ms": timeout_ms, "memory_mib": memory_mib}
    try:
        _check(mode, http, names)
        with redirect_stdout(sys.stderr):  # what tool files print is not for the client
            named = named_sources(tools, workspace, servers, openapi, allow_bash=allow_bash)
        limits = Limits(**{name: value for name, value in given.items() if value is not None})
        serve = _stdio() if http is None else _http(http, names)
        rules = [rule.strip() for rule in selected.split(",")] if selected else []
        pool = Pool(limits=limits, confinement=confinement)
        anyio.run(
            partial(_serve, pool, named, partial(_settings, rules, mode, inline_budget), serve)
        )
    except (WrongUse, UsageError) as error:
        complain(error)
        raise typer.Exit(ExitCode.WRONG_USE) from error
    except Unavailable as error:
        complain(error)
        raise typer.Exit(ExitCode.UNAVAILABLE) from error


def _check(mode: str, http: str | None, names: tuple[str, ...]) -> None:
    if find_spec("mcp") is None:
        raise WrongUse("codepool mcp needs the MCP SDK: pip install 'codepool[mcp]'")
    if mode not in MODES:
        raise WrongUse(f"--mode is {mode!r}, not one of {', '.join(MODES)}")
    if names and http is None:
        raise WrongUse("--allow-host needs --http")


def _settings(rules: Sequence[str], mode: str, inline_tokens: int, sources: Sources) -> Settings:
    from pool.mcp_server.offer import Settings
    from pool.tools.selection import Mode

    settings = Settings(sources, tuple(rules), Mode(mode), inline_tokens)
    settings.check()
    return settings


async def _serve(
    pool: Pool, named: Named, settings: Callable[[Sources], Settings], serve: _Serve
) -> None:
    async with opened(named) as sources, pool:
        await serve(pool, settings(sources))


def _stdio() -> _Serve:
    from pool.mcp_server.transports import serve_stdio

    # A thread waits for the client's next line and cannot be told to stop: the signal ends the
    # process as it is, and the workers end with it.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return serve_stdio


def _http(where: str, names: tuple[str, ...]) -> _Serve:
    from pool.mcp_server.transports import serve_http

    listening = _listen(where, may_be_remote=bool(names))
    return lambda pool, settings: serve_http(pool, settings, listening, names, complain)


def _listen(where: str, *, may_be_remote: bool) -> socket.socket:
    """A socket bound to `HOST:PORT`; port 0 takes a free one.

    Raises:
        WrongUse: It is no such address, or cannot be had, or other machines reach it.
    """
    host, _, port = where.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not host or not port.isdecimal() or not port.isascii():
        raise WrongUse(f"--http {where}: is not HOST:PORT")
    try:
        found = socket.getaddrinfo(host, int(port), type=socket.SOCK_STREAM)
        family, _, _, _, address = found[0]
        if not may_be_remote and not ip_address(address[0]).is_loopback:
            raise WrongUse(
                f"--http {where}: other machines reach that address, and whoever reaches it may "
                "call every tool; if that is meant, name the server with --allow-host"
            )
        return socket.create_server((address[0], address[1]), family=family)
    except (OSError, OverflowError) as error:
        raise WrongUse(f"--http {where}: {error}") from error
