"""`codepool mcp` at the standard streams, driven by the official client."""

from __future__ import annotations

import base64
from functools import partial
from pathlib import Path

import anyio
import psutil
import pytest
from listening_servers import stdio
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import ToolListChangedNotification

pytestmark = pytest.mark.anyio

# Both eras of the protocol: with a handshake, and with everything in each request.
ERAS = pytest.mark.parametrize("mode", ["legacy", "auto"])

PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhg"
    "GAWjR9awAAAABJRU5ErkJggg=="
)


async def run(client: Client, code: str, **more):
    with anyio.fail_after(10):
        return await client.call_tool("codemode", {"code": code}, **more)


async def value_of(client: Client, code: str):
    return (await run(client, code)).structured_content["value"]


@ERAS
async def test_a_client_sees_codemode_and_the_direct_tools(tools: Path, mode: str):
    async with Client(stdio(tools), mode=mode) as client:
        listed = {tool.name: tool for tool in (await client.list_tools()).tools}

    assert list(listed) == ["codemode", "double", "hold", "process_id", "wait_for_release"]
    assert listed["codemode"].input_schema["required"] == ["code"]
    assert "await tools.double(…)" in listed["double"].description


async def test_the_declaration_documents_what_is_not_declared_and_nothing_hidden(tools: Path):
    async with Client(stdio(tools)) as client:
        codemode = (await client.list_tools()).tools[0]

    assert "Found by searching." in codemode.description
    assert "double" not in codemode.description
    assert "secret" not in codemode.description


async def test_mode_only_declares_codemode_alone_and_documents_the_rest(tools: Path):
    async with Client(stdio(tools, "--mode", "only")) as client:
        (codemode,) = (await client.list_tools()).tools

    assert "double(input" in codemode.description


@ERAS
async def test_a_program_calls_tools_and_gives_text_and_the_document(tools: Path, mode: str):
    async with Client(stdio(tools), mode=mode) as client:
        result = await run(client, "return await tools.double({number: 21})")

    assert result.is_error is False
    assert result.content[0].text.endswith("\n\n42")
    assert result.structured_content["value"] == 42
    assert result.structured_content["calls"][0]["name"] == "double"


async def test_a_program_that_throws_is_an_error_with_its_text(tools: Path):
    async with Client(stdio(tools)) as client:
        result = await run(client, 'text("before"); throw new Error("boom")')

    assert result.is_error is True
    assert "before" in result.content[0].text
    assert "Error: boom" in result.content[0].text
    assert result.structured_content["reason"] == "Error"


@pytest.mark.parametrize("arguments", [{}, {"code": 1}, {"code": "return 1", "more": 1}])
async def test_arguments_other_than_one_text_are_refused(tools: Path, arguments: dict[str, object]):
    async with Client(stdio(tools)) as client:
        result = await client.call_tool("codemode", arguments)

    assert result.is_error is True
    assert "`code`" in result.content[0].text


async def test_an_image_is_image_content(tools: Path):
    async with Client(stdio(tools)) as client:
        result = await run(client, f'image("data:image/png;base64,{PIXEL}")')

    assert [block.type for block in result.content] == ["text", "image"]
    assert result.content[1].mime_type == "image/png"
    assert base64.b64decode(result.content[1].data) == base64.b64decode(PIXEL)


async def test_half_a_character_from_a_tool_does_not_break_the_connection(tools: Path):
    async with Client(stdio(tools)) as client:
        assert await value_of(client, "return await tools.found()") == {"half": "\ufffd"}
        assert await value_of(client, "return 1") == 1


async def test_a_direct_tool_is_called_with_its_arguments_checked(tools: Path):
    async with Client(stdio(tools)) as client:
        good = await client.call_tool("double", {"number": 2})
        bad = await client.call_tool("double", {"number": "two"})

    assert (good.is_error, good.content[0].text) == (False, "4")
    assert bad.is_error is True
    assert "argument.number" in bad.content[0].text


@pytest.mark.parametrize("name", ["secret", "found", "nothing"])
async def test_a_tool_that_is_not_declared_is_no_tool_of_the_server(tools: Path, name: str):
    async with Client(stdio(tools)) as client:
        with pytest.raises(MCPError, match="no tool is called"):
            await client.call_tool(name, {})


async def test_a_hidden_tool_is_not_there_for_programs(tools: Path):
    code = """
    return [typeof tools.secret, await describeTool("secret"), await searchTools("secret"),
            ALL_TOOLS.some(tool => tool.name === "secret")];
    """
    async with Client(stdio(tools)) as client:
        kind, described, found, listed = await value_of(client, code)

    assert (kind, described, listed) == ("undefined", None, False)
    assert "secret" not in [tool["name"] for tool in found]


@ERAS
async def test_stored_values_last_as_long_as_the_process(tools: Path, mode: str):
    async with Client(stdio(tools), mode=mode) as first, Client(stdio(tools), mode=mode) as second:
        await run(first, 'store("key", 1)')

        assert await value_of(first, 'return load("key")') == 1
        assert "value" not in (await run(second, 'return load("key")')).structured_content


async def test_what_a_failed_program_stored_is_dropped(tools: Path):
    async with Client(stdio(tools)) as client:
        await run(client, 'store("key", 1)')
        await run(client, 'store("key", 2); throw 1')

        assert await value_of(client, 'return load("key")') == 1


@ERAS
async def test_progress_tells_of_calls_and_a_cancelled_request_ends_its_call(
    tools: Path, mode: str
):
    said: list[str | None] = []

    async with Client(stdio(tools), mode=mode) as client, anyio.create_task_group() as asking:

        async def saw(_progress: float, _total: float | None, message: str | None) -> None:
            said.append(message)
            asking.cancel_scope.cancel()

        asking.start_soon(partial(run, client, "await tools.hold()", progress_callback=saw))

    assert said == ["0 of 1 calls ended; hold"]


@ERAS
async def test_after_a_cancelled_request_the_connection_goes_on_without_its_program(
    tools: Path, mode: str
):
    async with Client(stdio(tools), mode=mode) as client:
        async with anyio.create_task_group() as asking:

            async def saw(*_progress: object) -> None:
                asking.cancel_scope.cancel()

            asking.start_soon(partial(run, client, "await tools.hold()", progress_callback=saw))

        assert await value_of(client, "return await tools.wait_for_release()") is True


async def test_a_client_that_goes_in_the_middle_of_a_run_leaves_no_process(tools: Path):
    async with Client(stdio(tools)) as client:
        server = psutil.Process(await value_of(client, "return await tools.process_id()"))
        async with anyio.create_task_group() as asking:
            started = anyio.Event()

            async def saw(*_progress: object) -> None:
                started.set()

            asking.start_soon(partial(run, client, "await tools.hold()", progress_callback=saw))
            with anyio.fail_after(10):
                await started.wait()
            processes = [server, *server.children(recursive=True)]
            asking.cancel_scope.cancel()

    assert len(processes) > 2
    _, alive = psutil.wait_procs(processes, timeout=5)
    assert alive == []


async def test_a_search_loads_a_tool_and_tells_the_client_that_its_list_has_changed(tools: Path):
    told = anyio.Event()

    async def heard(message: object) -> None:
        if isinstance(message, ToolListChangedNotification):
            told.set()

    server = stdio(tools, "--select", "+tool_search")
    async with Client(server, mode="legacy", message_handler=heard) as client:
        before = [tool.name for tool in (await client.list_tools()).tools]
        result = await client.call_tool("tool_search", {"query": "found"})
        with anyio.fail_after(5):
            await told.wait()
        after = [tool.name for tool in (await client.list_tools()).tools]

    assert "found" not in before
    assert result.structured_content["loaded"] == ["found"]
    assert set(after) - set(before) == {"found"}


async def test_a_search_never_loads_what_is_hidden(tools: Path):
    async with Client(stdio(tools, "--select", "+tool_search")) as client:
        result = await client.call_tool("tool_search", {"query": "secret"})
        refused = await client.call_tool("tool_search", {"query": " "})

    assert result.structured_content["loaded"] == []
    assert "secret" not in result.content[0].text
    assert refused.is_error is True
