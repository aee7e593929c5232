"""The requests of MCP clients: what tools there are, and one call of them.

The SDK runs each request in a task of its own and cancels it when the client says so, or is gone;
a program that runs for it is then killed before the task ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, NoReturn

import anyio
import mcp_types as types
import msgpack
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from pool.engine import Pool
from pool.errors import ToolError
from pool.mcp_server.client import Client
from pool.mcp_server.offer import Shown
from pool.mcp_server.results import of_failure, of_outcome, of_value
from pool.program.outcome import CallRecord
from pool.run import CallStarted, Run
from pool.tools.catalog import Catalog
from pool.tools.dispatch import Dispatcher
from pool.tools.selection import CODEMODE, TOOL_SEARCH
from pool.tools.sources.mcp import McpServers
from pool.tools.threads import Threads
from pool.tools.tool import Tool
from pool.tools.tool_search import tool_search
from pool.tools.view import View
from pool.wire.messages import NO_RUN, Call, Settled

# Enough for a person who watches; a run may make 100,000 calls.
PROGRESS_INTERVAL_S: Final = 0.1

Context = ServerRequestContext[Any, Any]


@dataclass(frozen=True, slots=True)
class _Requests:
    """The handlers of one server.

    Attributes:
        client_of: The client that a request comes from.
    """

    pool: Pool
    threads: Threads
    client_of: Callable[[Context], Client]

    async def list_tools(
        self, context: Context, _params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        client = self.client_of(context)
        client.session, client.listed = context.session, tuple(client.offer.shown())
        return types.ListToolsResult(tools=[_tool(each) for each in client.listed])

    async def call_tool(
        self, context: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        """Carry out one call.

        Raises:
            MCPError: There is no such tool.

        Cancellation:
            Kills the program and reaps its worker before the cancellation goes on.
        """
        client, arguments = self.client_of(context), params.arguments or {}
        selection = client.offer.selection
        if params.name == CODEMODE and selection.has_codemode:
            return await self._run(context, client, arguments)
        if params.name == TOOL_SEARCH and selection.has_tool_search:
            return await _search(context, client, arguments)
        if not client.offer.declares(params.name):
            raise MCPError(types.INVALID_PARAMS, f"no tool is called {params.name!r:.200}")
        direct = _dispatcher(selection.tools, self.threads, self.pool.limits.result_bytes)
        begun = direct.begin(Call(NO_RUN, 0, params.name, arguments))
        settled = begun if isinstance(begun, Settled) else await begun()
        value = msgpack.unpackb(settled.payload)
        return of_value(value) if settled.ok else of_failure(value["message"])

    async def _run(
        self, context: Context, client: Client, arguments: dict[str, Any]
    ) -> types.CallToolResult:
        code = arguments.get("code")
        if not isinstance(code, str) or len(arguments) > 1:
            return of_failure(f"{CODEMODE} takes one argument, `code`, a text")
        async with self.pool.start(
            code,
            tools=client.offer.selection.callable,
            namespaces=client.offer.namespaces,
            view=View(callable_now=client.callable_names),
            tenant=client.tenant,
            store=client.store,
        ) as run:
            try:
                await _report(context, run)
                outcome = await run.outcome()
            except anyio.get_cancelled_exc_class():
                run.remove_files()  # nobody gets the outcome that names them
                raise
        client.commit(outcome.store)
        return await of_outcome(outcome)


async def _search(
    context: Context, client: Client, arguments: dict[str, Any]
) -> types.CallToolResult:
    """Load what a search finds, and tell the client that its list of tools has changed."""
    try:
        found = tool_search(
            arguments,
            client.offer.selection,
            namespaces=client.offer.namespaces,
            unconnected=client.settings.sources.unconnected,
        )
    except ToolError as error:
        return of_failure(str(error))
    client.load(found.selection)
    if found.loaded:
        await context.session.send_tool_list_changed()
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=found.text)],
        structured_content=found.details,
    )


def _tool(shown: Shown) -> types.Tool:
    return types.Tool(
        name=shown.name, description=shown.description, input_schema=dict(shown.input_schema)
    )


async def _report(context: Context, run: Run) -> None:
    """Tell the client of calls while the program runs, if it asked; ends with the program."""
    started = ended = 0
    next_at = anyio.current_time()
    async for event in run:
        started += isinstance(event, CallStarted)
        ended += isinstance(event, CallRecord)
        if isinstance(event, CallStarted | CallRecord) and anyio.current_time() >= next_at:
            next_at = anyio.current_time() + PROGRESS_INTERVAL_S
            await context.session.report_progress(
                started + ended, message=f"{ended} of {started} calls ended; {event.name}"
            )


@lru_cache(maxsize=4)
def _dispatcher(tools: tuple[Tool, ...], threads: Threads, result_bytes: int) -> Dispatcher:
    """For calls of the client's model, which may call what programs may not."""
    catalog = Catalog(tools, for_programs=False)
    return Dispatcher(catalog, threads=threads, result_bytes=result_bytes)


async def announce(servers: McpServers, clients: Iterable[Client]) -> NoReturn:
    """Tell clients whose tools are other ones than those they were told, whenever that happens."""
    version = servers.version
    while True:
        version = await servers.wait_changed(version)
        for client in list(clients):
            if client.session is None or client.listed == tuple(client.offer.shown()):
                continue
            # A client that is about to go hears nothing any more.
            with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
                await client.session.send_tool_list_changed()


def build(pool: Pool, client_of: Callable[[Context], Client]) -> Server[Any]:
    """The server, for any transport.

    Args:
        client_of: Tells clients apart: `stdio` and `http` differ in it.
    """
    from importlib.metadata import version

    threads = Threads(pool.limits.calls_in_flight)
    requests = _Requests(pool=pool, threads=threads, client_of=client_of)
    return Server(
        "codepool",
        version=version("codepool"),
        on_list_tools=requests.list_tools,
        on_call_tool=requests.call_tool,
    )
