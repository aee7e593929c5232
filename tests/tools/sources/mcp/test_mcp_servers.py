"""Servers as they come, answer, fail and go: real processes, under both event loops."""

from __future__ import annotations

import os
import signal

import anyio
import psutil
import pytest
from live_servers import PATIENCE_S, call, opened, running, serving, tool_of, wait_until

from pool import ToolError, UsageError
from pool.tools.exposure import Exposure, Exposures
from pool.tools.sources.mcp import ServerConfig, StdioLaunch, open_servers
from pool.tools.tool import Effect

pytestmark = pytest.mark.anyio

SILENT = "import sys; sys.stdin.read()"


async def test_a_server_brings_its_tools_with_names_effects_and_exposures():
    exposures = Exposures.parse("codemode", {"f*": "hidden"})
    async with opened(serving("one", exposures=exposures, timeout_s=7.0)) as servers:
        echo = tool_of(servers, "one__echo")
        fail = tool_of(servers, "one__fail")

        assert (echo.effect, echo.exposure, echo.namespace) == (
            Effect.READ,
            Exposure.CODEMODE,
            "one",
        )
        assert (fail.effect, fail.exposure, fail.timeout_s) == (
            Effect.IDEMPOTENT,
            Exposure.HIDDEN,
            7.0,
        )
        assert tool_of(servers, "one__die").effect is Effect.WRITE
        assert echo.description == "echo of a test"
        assert servers.unconnected == ()


async def test_a_result_is_the_object_that_the_server_sent():
    async with opened(serving("one")) as servers:
        result = await call(servers, "one__echo", {"word": "hi"})

        assert result == {
            "content": [{"type": "text", "text": "hi"}],
            "structuredContent": {"word": "hi", "nothing": None},
            "isError": False,
        }


async def test_an_error_of_the_tool_is_a_result_and_an_error_of_the_protocol_is_raised():
    async with opened(serving("one")) as servers:
        failed = await call(servers, "one__fail")

        assert failed == {"content": [{"type": "text", "text": "no luck"}], "isError": True}
        with pytest.raises(ToolError, match="Internal server error"):
            await call(servers, "one__refuse")


async def test_a_picture_arrives_as_an_image_block():
    async with opened(serving("one")) as servers:
        [block] = (await call(servers, "one__picture"))["content"]

        assert (block["type"], block["mimeType"], block["data"][:4]) == (
            "image",
            "image/png",
            "iVBO",
        )


async def test_arguments_that_mcp_cannot_carry_are_refused_with_their_path():
    async with opened(serving("one")) as servers:
        with pytest.raises(ToolError, match=r"argument\.a\[1\]: MCP carries no bytes"):
            await call(servers, "one__echo", {"a": [1, b"x"]})
        with pytest.raises(ToolError, match="one object"):
            await call(servers, "one__add", [1])


async def test_progress_of_the_server_reaches_the_caller(context):
    async with opened(serving("one")) as servers:
        await tool_of(servers, "one__steps").handler({}, context)

        assert context == [("half", 1, 2)]


async def test_a_cancelled_call_is_cancelled_on_the_server(tmp_path):
    trace = tmp_path / "trace"
    async with opened(serving("one")) as servers:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(call, servers, "one__hold", {"trace": str(trace)})
            while not await anyio.Path(trace).exists():
                await anyio.lowlevel.checkpoint()
            tasks.cancel_scope.cancel()
        while trace.read_text() != "cancelled":
            await anyio.lowlevel.checkpoint()

        assert (await call(servers, "one__echo", {"word": "alive"}))["isError"] is False


async def test_a_server_killed_mid_call_rejects_that_call_and_comes_back():
    async with opened(serving("one")) as servers:
        with pytest.raises(ToolError, match="one went away during the call"):
            await call(servers, "one__die")
        with pytest.raises(ToolError, match="one is not connected: the connection ended"):
            await call(servers, "one__echo")
        assert servers.unconnected == ("one",)

        await wait_until(servers, lambda: not servers.unconnected)

        assert (await call(servers, "one__echo", {"word": "back"}))["isError"] is False


async def test_a_tool_added_while_the_session_is_open_is_offered():
    async with opened(serving("one")) as servers:
        echo = tool_of(servers, "one__echo")

        await call(servers, "one__add", {"name": "late"})
        await wait_until(servers, lambda: any(tool.name == "one__late" for tool in servers.tools))

        assert (await call(servers, "one__late"))["content"][0]["text"] == "late"
        assert tool_of(servers, "one__echo") is echo


async def test_a_thousand_tools_come_in_pages():
    async with opened(serving("one", "1000")) as servers:
        names = [tool.name for tool in servers.tools]

        assert len(names) == 1010
        assert len(set(names)) == 1010


async def test_a_broken_and_a_silent_server_do_not_keep_the_others_waiting():
    broken = ServerConfig("broken", StdioLaunch("no-such-command-anywhere"))
    with anyio.fail_after(PATIENCE_S):
        async with open_servers([running("silent", SILENT), broken, serving("one")]) as servers:
            await wait_until(servers, lambda: servers.tools)
            await wait_until(servers, lambda: "cannot be" in servers.reasons["broken"])

            assert servers.unconnected == ("silent", "broken")
            assert servers.reasons["broken"] == "it cannot be started: No such file or directory"
            assert (await call(servers, "one__echo"))["isError"] is False


async def test_ready_waits_no_longer_than_it_is_told():
    with anyio.fail_after(PATIENCE_S):
        async with open_servers([running("silent", SILENT)]) as servers:
            assert await servers.ready(0.01) is False


async def test_namespaces_are_those_of_the_configuration_whoever_is_connected():
    config = serving("one", description="Test things")
    async with open_servers([config]) as servers:
        before = servers.namespaces
        with anyio.fail_after(PATIENCE_S):
            await wait_until(servers, lambda: not servers.unconnected)

        assert servers.namespaces == before
        assert before[0].is_dynamic
        assert before[0].description == "Test things"
        assert servers.instructed_namespaces[0].instructions == "How to use one."


async def test_a_disabled_server_is_neither_started_nor_named():
    async with opened(serving("one", enabled=False)) as servers:
        assert (servers.tools, servers.namespaces, servers.unconnected) == ((), (), ())


async def test_only_safe_and_configured_variables_reach_a_server(monkeypatch):
    monkeypatch.setenv("HOST_SECRET", "never seen")
    launch = serving("one").reach
    assert isinstance(launch, StdioLaunch)
    config = ServerConfig("one", StdioLaunch(launch.command, launch.args, {"GIVEN": "seen"}))
    async with opened(config) as servers:
        seen = (await call(servers, "one__environment"))["structuredContent"]

        assert seen["GIVEN"] == "seen"
        assert "HOST_SECRET" not in seen
        assert "PATH" in seen


async def test_standard_error_is_kept_out_of_the_way_and_bounded(capfd):
    async with opened(serving("one")) as servers:
        await call(servers, "one__noise")
        words = servers.last_words("one")

        assert words.endswith(" last words")
        assert len(words) == 64 * 1024
        assert capfd.readouterr().err == ""


async def test_resources_and_prompts_are_tools_of_servers_that_have_them():
    async with opened(serving("one", "extras"), serving("two")) as servers:
        listed = await call(servers, "one__list_resources")
        memo = await call(servers, "one__read_resource", {"uri": listed["resources"][0]["uri"]})
        prompts = await call(servers, "one__list_prompts")
        prompt = await call(
            servers, "one__get_prompt", {"name": "greet", "arguments": {"who": "Ann"}}
        )

        assert memo["contents"][0]["text"] == "the memo"
        assert prompts["prompts"][0]["name"] == "greet"
        assert prompt["messages"][0]["content"]["text"] == "Greet Ann"
        assert not any(tool.name == "two__read_resource" for tool in servers.tools)


async def test_processes_end_with_the_context_also_when_its_body_fails():
    seen: list[psutil.Process] = []

    async def fail_inside() -> None:
        async with opened(serving("one")):
            seen.extend(served())
            raise RuntimeError("of the body")

    with pytest.raises(RuntimeError, match="of the body"):
        await fail_inside()

    [process] = seen
    assert not process.is_running()


async def test_a_process_killed_from_outside_is_started_again():
    async with opened(serving("one")) as servers:
        [process] = served()
        os.kill(process.pid, signal.SIGKILL)
        await wait_until(servers, lambda: servers.unconnected)
        await wait_until(servers, lambda: not servers.unconnected)

        assert (await call(servers, "one__echo"))["isError"] is False


def served() -> list[psutil.Process]:
    children = psutil.Process().children()
    return [child for child in children if "mcp_serving.py" in str(child.cmdline())]


async def test_servers_that_could_name_one_tool_are_refused():
    with pytest.raises(UsageError, match="'a' and 'a__b'"):
        async with open_servers([serving("a"), serving("a__b")]):
            pass
