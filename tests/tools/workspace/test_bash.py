from __future__ import annotations

import os
from contextlib import suppress

import anyio
import psutil
import pytest

from pool.errors import ToolError
from pool.tools.workspace import bash

pytestmark = pytest.mark.anyio


@pytest.fixture
def run(workspace):
    async def run(command, **fields):
        with anyio.fail_after(10):
            return await bash.run(workspace, {"command": command, **fields})

    return run


async def wait_until_gone(pid):
    with suppress(ProcessLookupError), anyio.fail_after(5):
        pidfd = os.pidfd_open(pid)
        try:
            await anyio.wait_readable(pidfd)
        finally:
            os.close(pidfd)


async def test_output_and_exit_code_come_back(run):
    result = await run("echo out; echo err >&2; exit 3")

    assert result.pop("wall_time_seconds") >= 0
    assert result == {"output": "out\nerr\n", "truncated": False, "exit_code": 3}


async def test_a_command_starts_in_the_workspace(run, root):
    assert (await run("pwd -P"))["output"] == f"{root.resolve()}\n"


async def test_standard_input_is_empty(run):
    assert (await run("cat; echo done"))["output"] == "done\n"


async def test_the_environment_is_the_hosts(run, monkeypatch):
    monkeypatch.setenv("CODEPOOL_TEST", "inherited")

    assert (await run("echo $CODEPOOL_TEST"))["output"] == "inherited\n"


async def test_a_signal_shows_in_the_exit_code(run):
    assert (await run("kill -TERM $$"))["exit_code"] == 128 + 15


async def test_a_command_that_takes_too_long_is_killed_and_keeps_its_output(run):
    result = await run("echo early; sleep 60", timeout_s=0.8)

    assert (result["output"], result["exit_code"]) == ("early\n", 124)
    assert result["wall_time_seconds"] < 5


async def test_children_of_a_command_that_takes_too_long_are_killed_too(run, root):
    await run("sleep 60 & echo $! > pid; wait", timeout_s=0.8)

    await wait_until_gone(int((root / "pid").read_text()))


async def test_a_process_in_the_background_ends_with_its_command(run, root):
    result = await run("sleep 60 & echo $! > pid")

    assert result["exit_code"] == 0
    assert result["wall_time_seconds"] < 5
    await wait_until_gone(int((root / "pid").read_text()))


async def test_a_process_that_left_the_group_is_not_waited_for(run, root):
    result = await run("setsid sleep 60 & echo $! > pid; sleep 0.1")

    assert result["wall_time_seconds"] < 5
    os.kill(int((root / "pid").read_text()), 9)


async def test_a_cancelled_command_is_killed_before_the_cancellation_goes_on(workspace, root):
    os.mkfifo(root / "pid")
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(bash.run, workspace, {"command": "echo $$ > pid; sleep 60"})
        pid = int(await anyio.to_thread.run_sync((root / "pid").read_text))
        tasks.cancel_scope.cancel()

    assert not psutil.pid_exists(pid)


async def test_long_output_keeps_head_and_tail(run):
    result = await run("echo head; head -c 3000000 /dev/zero | tr '\\0' x; echo; echo tail")

    kept = bash.HEAD_BYTES + bash.TAIL_BYTES
    assert result["truncated"]
    assert result["output"].startswith("head\nxxx")
    assert result["output"].endswith("xxx\ntail\n")
    assert f"\n[… {3_000_011 - kept} bytes left out …]\n" in result["output"]
    assert len(result["output"]) < kept + 100


async def test_output_of_just_what_is_kept_is_whole(run):
    result = await run(f"head -c {bash.HEAD_BYTES + bash.TAIL_BYTES} /dev/zero | tr '\\0' x")

    assert not result["truncated"]
    assert result["output"] == "x" * (bash.HEAD_BYTES + bash.TAIL_BYTES)


async def test_output_that_is_no_utf8_is_replaced(run):
    assert (await run("printf 'a\\xffb'"))["output"] == "a\ufffdb"


async def test_no_descriptor_is_left_open(run):
    await run("true")
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        await run("true")

    assert len(os.listdir("/proc/self/fd")) == before


async def test_a_workspace_that_is_gone_is_an_error_without_its_path(run, root):
    root.rename(root.parent / "gone")

    with pytest.raises(ToolError) as refused:
        await run("true")

    assert str(root) not in str(refused.value)
