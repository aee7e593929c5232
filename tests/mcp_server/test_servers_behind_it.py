"""`codepool mcp` over servers of others: found, loaded, called, and gone again."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest
from listening_servers import COMMAND
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

SERVING = Path(__file__).parents[1] / "tools" / "sources" / "mcp" / "mcp_serving.py"
PATIENCE_S = 30

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(2 * PATIENCE_S)]


@pytest.fixture
def command(tmp_path: Path) -> StdioServerParameters:
    file = tmp_path / "servers.json"
    server = {
        "command": sys.executable,
        "args": [str(SERVING), "box"],
        "exposure": "deferred",
        "toolExposure": {"environment": "hidden"},
    }
    gone = {"command": str(tmp_path / "no-such-command")}
    file.write_text(json.dumps({"mcpServers": {"box": server, "gone": gone}}))
    return StdioServerParameters(command=COMMAND[0], args=[*COMMAND[1:], "--mcp", str(file)])


async def names(client: Client) -> set[str]:
    return {tool.name for tool in (await client.list_tools()).tools}


async def value_of(client: Client, program: str) -> Any:
    result = await client.call_tool("codemode", {"code": program})
    assert result.structured_content is not None
    return result.structured_content.get("value")


async def test_d3_a_tool_of_a_server_is_found_loaded_and_called(command: StdioServerParameters):
    with anyio.fail_after(PATIENCE_S):
        async with Client(stdio_client(command)) as client:
            before = await names(client)
            found = await client.call_tool("tool_search", {"query": "box__echo", "limit": 1})
            after = await names(client)
            called = await client.call_tool("box__echo", {"word": "hello"})

    assert before == {"codemode", "tool_search"}
    assert found.structured_content == {
        "loaded": ["box__echo"],
        "weak": [],
        "total": found.structured_content["total"],
        "truncated": True,
    }
    assert after == before | {"box__echo"}
    assert called.structured_content == {"word": "hello", "nothing": None}
    assert called.content[0].text == "hello"


async def test_d2_a_search_in_vain_names_the_server_that_is_not_connected(
    command: StdioServerParameters,
):
    with anyio.fail_after(PATIENCE_S):
        async with Client(stdio_client(command)) as client:
            found = await client.call_tool("tool_search", {"query": "quantum"})
            hidden = await client.call_tool("tool_search", {"query": "environment"})

    assert "not connected: gone" in found.content[0].text
    assert "box__environment" not in hidden.content[0].text


async def test_m3_the_description_names_the_servers_and_none_of_their_tools(
    command: StdioServerParameters,
):
    with anyio.fail_after(PATIENCE_S):
        async with Client(stdio_client(command)) as client:
            [codemode] = [
                tool for tool in (await client.list_tools()).tools if tool.name == "codemode"
            ]

    assert "- box\n- gone" in codemode.description
    assert "echo" not in codemode.description


async def test_a_tool_that_a_server_adds_is_called_by_the_next_program(
    command: StdioServerParameters,
):
    with anyio.fail_after(PATIENCE_S):
        async with Client(stdio_client(command)) as client:
            before = await value_of(client, "return ALL_TOOLS.length")
            await value_of(client, "await tools.box__add({name: 'late'})")
            count = before
            while count == before:
                count = await value_of(client, "return ALL_TOOLS.length")

    assert count == before + 1
