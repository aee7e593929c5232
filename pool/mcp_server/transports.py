"""The two ways clients reach the server: standard streams, and streamable HTTP."""

from __future__ import annotations

import socket
import sys
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager, redirect_stdout
from functools import partial
from typing import Any, Final
from weakref import WeakSet

import anyio
import uvicorn
from mcp.server.lowlevel import NotificationOptions
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings

from pool.engine import Pool
from pool.mcp_server.client import Client
from pool.mcp_server.offer import Settings
from pool.mcp_server.server import Context, announce, build

# Each may keep stored values of a mebibyte, and a worker warm.
MAX_SESSIONS: Final = 64

# A person who comes back from lunch finds the values; what is forgotten is gone.
SESSION_IDLE_S: Final = 3600.0

# Streams that clients hold open would keep the server for ever.
STOP_S: Final = 2

PATH: Final = "/mcp"

LOCAL: Final = ("127.0.0.1", "localhost", "[::1]")

# A proxy in front may leave out the port, or have another one.
_PORTS: Final = ("", ":*")

# Said by `tool_search`, to clients with a connection of their own.
_CHANGES: Final = NotificationOptions(tools_changed=True)

_CLIENT: Final = "codepool.client"


async def serve_stdio(pool: Pool, settings: Settings) -> None:
    """Serve the client at the standard streams until it closes them; it is the only one."""
    only = Client(settings)
    server = build(pool, lambda _context: only)
    # The SDK turns the descriptor away from the client, and back at the end: what tools print
    # would be flushed to the client then.
    async with stdio_server() as (incoming, outgoing):
        with redirect_stdout(sys.stderr):
            await server.run(incoming, outgoing, server.create_initialization_options(_CHANGES))


async def serve_http(
    pool: Pool,
    settings: Settings,
    listening: socket.socket,
    names: Sequence[str],
    say: Callable[[str], None],
) -> None:
    """Serve clients of streamable HTTP on a bound socket until a signal ends the process.

    Args:
        names: By which requests may name this server, beside those of this machine.
        say: Told the address, for a person, before the first request is heard.

    Every session is a client of its own. Clients of protocol versions without sessions are new
    ones at every request: nothing that they store is kept, and nothing of others is seen.

    Runs under asyncio alone: the HTTP server knows nothing else.
    """
    clients: WeakSet[Client] = WeakSet()
    server = build(pool, partial(_session_client, settings, clients))
    host, port = listening.getsockname()[:2]
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        max_sessions=MAX_SESSIONS,
        session_idle_timeout=SESSION_IDLE_S,
        transport_security=_security(names),
    )
    say(f"listening on http://{_bracketed(host)}:{port}{PATH}")
    config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=STOP_S)
    async with _announcing(settings, clients):
        await uvicorn.Server(config).serve(sockets=[listening])


@asynccontextmanager
async def _announcing(settings: Settings, clients: Iterable[Client]) -> AsyncIterator[None]:
    async with anyio.create_task_group() as tasks:
        if settings.sources.servers is not None:
            tasks.start_soon(announce, settings.sources.servers, clients)
        yield
        tasks.cancel_scope.cancel()


def _session_client(settings: Settings, clients: WeakSet[Client], context: Context) -> Client:
    """The client of the session that a request belongs to, for as long as the session lives."""
    # The SDK keeps a state for each connection, and gives handlers no public way to it.
    state: dict[str, Any] = context.session._connection.state
    client: Client = state.setdefault(_CLIENT, Client(settings))
    clients.add(client)
    return client


def _security(names: Sequence[str]) -> TransportSecuritySettings:
    """Accept requests that name this server alone: what a page of another site sends does not."""
    hosts = [*dict.fromkeys([*LOCAL, *names])]
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=[host + port for host in hosts for port in _PORTS],
        allowed_origins=[
            f"{scheme}://{host}{port}"
            for scheme in ("http", "https")
            for host in hosts
            for port in _PORTS
        ],
    )


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
