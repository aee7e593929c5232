"""The reference servers of the protocol, used by programs: filesystem, memory, everything."""

from __future__ import annotations

import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
import psutil
import pytest

from pool import Pool
from pool.tools.sources.mcp import BackOff, McpServers, ServerConfig, open_servers

# Three Node.js processes and a worker on two busy cores.
PATIENCE_S = 60

# The first test that needs the servers installs them.
pytestmark = [pytest.mark.anyio, pytest.mark.timeout(400)]


@asynccontextmanager
async def opened(*configs: ServerConfig) -> AsyncIterator[McpServers]:
    with anyio.fail_after(PATIENCE_S):
        back_off = BackOff(first_s=0.01, longest_s=0.05)
        async with open_servers(configs, back_off=back_off, jitter=lambda: 0.0) as servers:
            assert await servers.ready(PATIENCE_S), servers.reasons
            yield servers


async def test_a_program_carries_data_from_one_server_to_another(reference, tmp_path):
    root = tmp_path.resolve()
    (root / "people.txt").write_text("Ada\nGrace\n", encoding="utf-8")
    source = f"""
        const file = await tools.filesystem__read_text_file({{path: "{root}/people.txt"}});
        const names = file.content[0].text.trim().split("\\n");
        await tools.memory__create_entities({{
          entities: names.map((name) => ({{name, entityType: "person", observations: []}})),
        }});
        const graph = await tools.memory__read_graph();
        return graph.structuredContent.entities.map((entity) => entity.name);
    """
    memory = reference("memory", MEMORY_FILE_PATH=str(root / "memory.jsonl"))
    async with opened(reference("filesystem", str(root)), memory) as servers:
        async with Pool(size=1, spares=0) as pool:
            outcome = await pool.run(source, tools=servers.tools)

    assert outcome.is_completed, outcome.error
    assert outcome.value == ["Ada", "Grace"]


async def test_what_a_server_refuses_is_a_result_with_an_error(reference, tmp_path):
    source = """
        const result = await tools.filesystem__read_text_file({path: "/etc/passwd"});
        return [result.isError, result.content[0].text];
    """
    async with opened(reference("filesystem", str(tmp_path.resolve()))) as servers:
        async with Pool(size=1, spares=0) as pool:
            outcome = await pool.run(source, tools=servers.tools)

    is_error, text = outcome.value
    assert is_error
    assert "Access denied" in text


async def test_everything_brings_resources_prompts_and_pictures(reference):
    source = """
        const sum = await tools["everything__get-sum"]({a: 2, b: 3});
        const picture = await tools["everything__get-tiny-image"]();
        image(picture.content.find((block) => block.type === "image"));
        const {resources} = await tools.everything__list_resources();
        const read = await tools.everything__read_resource({uri: resources[0].uri});
        const {prompts} = await tools.everything__list_prompts();
        return [sum.content[0].text, read.contents.length, prompts.length > 0];
    """
    async with opened(reference("everything")) as servers, Pool(size=1, spares=0) as pool:
        outcome = await pool.run(source, tools=servers.tools)

    assert outcome.is_completed, outcome.error
    text, contents, has_prompts = outcome.value
    assert "5" in text
    assert (contents, has_prompts) == (1, True)
    assert len(outcome.output) == 1


async def test_a_reference_server_that_is_killed_comes_back(reference):
    async with opened(reference("everything")) as servers, Pool(size=1, spares=0) as pool:
        [process] = [
            child
            for child in psutil.Process().children()
            if "server-everything" in str(child.cmdline())
        ]
        os.kill(process.pid, signal.SIGKILL)
        while not servers.unconnected:
            await servers.wait_changed(servers.version)
        while servers.unconnected:
            await servers.wait_changed(servers.version)
        outcome = await pool.run(
            'return (await tools.everything__echo({message: "hi"})).content[0].text',
            tools=servers.tools,
        )

    assert "hi" in outcome.value
