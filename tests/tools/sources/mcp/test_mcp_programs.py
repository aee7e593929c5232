"""Programs over MCP servers: real workers, real servers."""

from __future__ import annotations

import pytest
from live_servers import opened, serving, wait_until

from pool import CallProgress, Pool

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(60)]


async def test_a_program_uses_two_servers_at_once():
    source = """
        const [a, b] = await Promise.all([
          tools.one__echo({word: "from one"}), tools.two__echo({word: "from two"}),
        ]);
        return [a.structuredContent.word, b.content[0].text];
    """
    async with opened(serving("one"), serving("two")) as servers, Pool(size=1, spares=0) as pool:
        outcome = await pool.run(source, tools=servers.tools)

        assert outcome.value == ["from one", "from two"]
        assert [call.name for call in outcome.calls] == ["one__echo", "two__echo"]


async def test_a_server_killed_mid_call_rejects_only_that_call():
    source = """
        const [dead, alive] = await Promise.allSettled([tools.one__die(), tools.two__echo()]);
        return [dead.reason.message, alive.status];
    """
    async with opened(serving("one"), serving("two")) as servers, Pool(size=1, spares=0) as pool:
        outcome = await pool.run(source, tools=servers.tools)

        message, status = outcome.value
        assert "the MCP server one went away during the call" in message
        assert status == "fulfilled"


async def test_a_picture_of_a_server_is_an_image_of_the_outcome():
    source = "for (const block of (await tools.one__picture()).content) image(block)"
    async with opened(serving("one")) as servers, Pool(size=1, spares=0) as pool:
        outcome = await pool.run(source, tools=servers.tools)

        assert outcome.is_completed, outcome.error
        assert len(outcome.output) == 1


async def test_the_next_run_sees_a_tool_that_was_added_in_this_one():
    async with opened(serving("one")) as servers, Pool(size=1, spares=0) as pool:
        await pool.run('await tools.one__add({name: "late"})', tools=servers.tools)
        await wait_until(servers, lambda: any(tool.name == "one__late" for tool in servers.tools))
        outcome = await pool.run("return await tools.one__late()", tools=servers.tools)

        assert outcome.value["content"] == [{"type": "text", "text": "late"}]


async def test_an_argument_that_misses_the_schema_does_not_reach_the_server():
    async with opened(serving("one")) as servers, Pool(size=1, spares=0) as pool:
        outcome = await pool.run("await tools.one__echo({word: 1})", tools=servers.tools)

        assert 'argument.word: 1 is not of type "string"' in outcome.error.message


async def test_the_progress_of_a_server_is_an_event_of_the_run():
    async with opened(serving("one")) as servers, Pool(size=1, spares=0) as pool:
        program = "return await tools.one__steps({})"
        async with pool.start(program, tools=servers.tools) as run:
            reports = [event async for event in run if isinstance(event, CallProgress)]

    assert reports
    assert {report.index for report in reports} == {0}
