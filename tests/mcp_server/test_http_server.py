"""`codepool mcp --http` on loopback, driven by the official client."""

from __future__ import annotations

import subprocess
from functools import partial
from pathlib import Path

import anyio
import httpx2
import psutil
import pytest
from anyio import to_thread
from listening_servers import COMMAND, listening
from mcp import Client
from mcp.shared.exceptions import MCPError

from pool.mcp_server.transports import MAX_SESSIONS

pytestmark = pytest.mark.anyio

LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
HEADERS = {"accept": "application/json, text/event-stream"}


@pytest.fixture
def anyio_backend() -> str:
    """Under trio the official client leaves generators behind, which is a warning."""
    return "asyncio"


async def document(client: Client, code: str):
    with anyio.fail_after(10):
        return (await client.call_tool("codemode", {"code": code})).structured_content


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_a_program_runs(address: str, mode: str):
    async with Client(address, mode=mode) as client:
        assert (await document(client, "return await tools.double({number: 2})"))["value"] == 4


async def test_two_sessions_store_apart(address: str):
    async with Client(address, mode="legacy") as first, Client(address, mode="legacy") as second:
        await document(first, 'store("key", 1)')

        assert (await document(first, 'return load("key")'))["value"] == 1
        assert "value" not in await document(second, 'return load("key")')


async def test_without_sessions_nothing_is_kept(address: str):
    async with Client(address, mode="auto") as client:
        await document(client, 'store("key", 1)')

        assert "value" not in await document(client, 'return load("key")')


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_a_cancelled_request_ends_its_program(address: str, mode: str):
    async with Client(address, mode=mode) as client:
        async with anyio.create_task_group() as asking:

            async def saw(*_progress: object) -> None:
                asking.cancel_scope.cancel()

            hold = {"code": "await tools.hold()"}
            asking.start_soon(partial(client.call_tool, "codemode", hold, progress_callback=saw))

        released = await document(client, "return await tools.wait_for_release()")

    assert released["value"] is True


@pytest.mark.parametrize(
    ("header", "value", "status"),
    [
        ("host", "evil.example", 421),
        ("origin", "http://evil.example", 403),
    ],
)
async def test_requests_that_a_page_of_another_site_sends_are_refused(
    address: str, header: str, value: str, status: int
):
    async with httpx2.AsyncClient() as http:
        refused = await http.post(address, json=LIST, headers=HEADERS | {header: value})
        heard = await http.post(address, json=LIST, headers=HEADERS)

    assert refused.status_code == status
    assert heard.status_code not in (421, 403)


@pytest.mark.parametrize("where", ["0.0.0.0:0", "[::]:0", "127.0.0.1", "127.0.0.1:http", ":0"])
def test_addresses_that_are_none_or_that_others_reach_are_wrong_use(where: str, tools: Path):
    done = subprocess.run(
        [*COMMAND, "--http", where, "--tools", str(tools)],
        capture_output=True,
        encoding="utf-8",
        timeout=15,
    )

    assert done.returncode == 2
    assert done.stderr.startswith(f"codepool: --http {where}: ")


async def test_a_server_that_others_reach_answers_to_the_name_it_was_given(tools: Path):
    with listening(tools, "--allow-host", "tools.example", at="0.0.0.0:0") as address:
        async with httpx2.AsyncClient() as http:
            named = await http.post(
                address, json=LIST, headers=HEADERS | {"host": "tools.example:80"}
            )
            other = await http.post(address, json=LIST, headers=HEADERS | {"host": "evil.example"})

    assert named.status_code not in (421, 403)
    assert other.status_code == 421


async def test_one_session_above_the_limit_is_told_so(address: str):
    statuses = []
    async with httpx2.AsyncClient() as http:
        for _ in range(MAX_SESSIONS + 1):
            answer = await http.post(address, json=INITIALIZE, headers=HEADERS)
            statuses.append(answer.status_code)

    assert statuses == [200] * MAX_SESSIONS + [503]


async def test_a_server_that_is_told_to_stop_in_the_middle_of_a_run_leaves_no_process(
    tools: Path,
):
    with listening(tools) as address:
        async with Client(address, mode="auto") as client:
            identity = await document(client, "return await tools.process_id()")
            server = psutil.Process(identity["value"])
            started = anyio.Event()

            async def saw(*_progress: object) -> None:
                started.set()

            async def hold() -> None:
                code = {"code": "await tools.hold()"}
                with pytest.raises(MCPError, match="ended without a response"):
                    await client.call_tool("codemode", code, progress_callback=saw)

            with anyio.fail_after(15):
                async with anyio.create_task_group() as asking:
                    asking.start_soon(hold)
                    await started.wait()
                    processes = [server, *server.children(recursive=True)]
                    server.terminate()
            _, alive = await to_thread.run_sync(partial(psutil.wait_procs, processes, 10))

    assert len(processes) > 2
    assert alive == []
