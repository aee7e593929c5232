"""Programs over servers that others wrote: filesystem, memory and everything."""

from __future__ import annotations

import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import psutil
import pytest

from pool import CallStarted, Outcome, Pool
from pool.tools.sources.mcp import McpServers, ServerConfig, open_servers

# Node.js starts in a second, three times that on a busy machine.
PATIENCE_S = 30

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(2 * PATIENCE_S)]


@asynccontextmanager
async def connected(*configs: ServerConfig) -> AsyncIterator[tuple[Pool, McpServers]]:
    with anyio.fail_after(PATIENCE_S):
        async with Pool(size=1, spares=0) as pool, open_servers(configs) as servers:
            assert await servers.ready(PATIENCE_S), servers.reasons
            yield pool, servers


async def run(pool: Pool, servers: McpServers, program: str, **more: Any) -> Outcome:
    return await pool.run(
        program, tools=servers.tools, namespaces=servers.instructed_namespaces, **more
    )


async def test_a_program_uses_two_servers_at_once(reference, tmp_path: Path):
    (tmp_path / "people.txt").write_text("Ada\nGrace\n")
    (tmp_path / "notes").mkdir()
    program = f"""
    const path = {str(tmp_path)!r};
    const [file, listing] = await Promise.all([
      tools.filesystem__read_text_file({{path: path + "/people.txt"}}),
      tools.filesystem__list_directory({{path}}),
    ]);
    const names = file.content[0].text.trim().split("\\n");
    await tools.memory__create_entities({{entities: names.map((name) => (
      {{name, entityType: "person", observations: ["listed in people.txt"]}}))}});
    const graph = await tools.memory__read_graph({{}});
    return [
      graph.structuredContent.entities.map(({{name}}) => name),
      listing.content[0].text.includes("[DIR] notes"),
    ];
    """
    memory = reference("memory", MEMORY_FILE_PATH=str(tmp_path / "memory.jsonl"))

    async with connected(reference("filesystem", str(tmp_path)), memory) as (pool, servers):
        outcome = await run(pool, servers, program)

    assert outcome.error is None
    assert outcome.value == [["Ada", "Grace"], True]
    assert {call.name.split("__")[0] for call in outcome.calls} == {"filesystem", "memory"}


async def test_a_failed_call_of_a_server_is_a_result_that_says_so(reference, tmp_path: Path):
    program = """
    const refused = await tools.filesystem__read_text_file({path: "/etc/passwd"});
    return [refused.isError, refused.content[0].text];
    """
    async with connected(reference("filesystem", str(tmp_path))) as (pool, servers):
        outcome = await run(pool, servers, program)

    is_error, text = outcome.value
    assert is_error is True
    assert "Access denied" in text


async def test_arguments_are_held_against_the_servers_schema_before_it_hears_of_them(reference):
    program = "return await tools.everything__echo({message: 5})"
    async with connected(reference("everything")) as (pool, servers):
        outcome = await run(pool, servers, program)

    assert outcome.error is not None
    assert "message" in outcome.error.message
    assert "string" in outcome.error.message


async def test_texts_structures_and_images_of_a_server_reach_the_program(reference):
    program = """
    const echo = await tools.everything__echo({message: "hello"});
    const sum = await tools.everything__get_sum({a: 2, b: 3});
    const tiny = await tools.everything__get_tiny_image({});
    for (const block of tiny.content) if (block.type === "image") image(block);
    return [echo.content[0].text, sum.content[0].text];
    """
    async with connected(reference("everything")) as (pool, servers):
        outcome = await run(pool, servers, program)
        outcome.close()

    assert outcome.error is None
    assert outcome.value[0] == "Echo: hello"
    assert "5" in outcome.value[1]
    assert [item.mime_type for item in outcome.output] == ["image/png"]


async def test_a_server_tells_how_it_is_used_once_it_is_connected(reference):
    program = "return (await describeNamespace('everything')).instructions"
    async with connected(reference("everything")) as (pool, servers):
        outcome = await run(pool, servers, program)

    assert "Everything Server" in outcome.value


async def test_a_server_killed_in_the_middle_of_a_call_fails_that_call_and_comes_back(reference):
    program = """
    try {
      await tools.everything__trigger_long_running_operation({duration: 60, steps: 1});
    } catch (error) {
      text(error.message);
    }
    return tools.memory__read_graph({}).then(() => "the other server answers");
    """
    async with connected(reference("everything"), reference("memory")) as (pool, servers):
        async with pool.start(program, tools=servers.tools) as running:
            async for event in running:
                if isinstance(event, CallStarted) and "long-running" in event.name:
                    _kill("mcp-server-everything")
            outcome = await running.outcome()
        while servers.unconnected:
            await servers.wait_changed(servers.version)
        again = await run(pool, servers, "return tools.everything__echo({message: 'back'})")

    assert outcome.value == "the other server answers"
    assert "everything" in outcome.output[0].text
    assert again.value["content"][0]["text"] == "Echo: back"


async def test_no_server_outlives_the_context(reference, tmp_path: Path):
    async with connected(reference("everything"), reference("filesystem", str(tmp_path))):
        during = [child.pid for child in _servers()]

    assert len(during) == 2
    assert not any(psutil.pid_exists(pid) for pid in during)


def _servers() -> list[psutil.Process]:
    children = psutil.Process().children(recursive=True)
    return [child for child in children if "mcp-server-" in " ".join(child.cmdline())]


def _kill(name: str) -> None:
    for server in _servers():
        if name in " ".join(server.cmdline()):
            os.kill(server.pid, signal.SIGKILL)
