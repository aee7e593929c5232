from __future__ import annotations

import msgpack
import pytest

from pool.tools.catalog import Catalog
from pool.tools.dispatch import Dispatcher
from pool.tools.threads import Threads
from pool.tools.tool import Way
from pool.tools.workspace import workspace_tools
from pool.wire.messages import Call

pytestmark = pytest.mark.anyio


@pytest.fixture
def call(root):
    dispatcher = Dispatcher(
        Catalog(workspace_tools(root, allow_bash=True)), threads=Threads(2), result_bytes=1_000_000
    )

    async def call(name, argument):
        settled = await dispatcher.begin(Call(1, 0, name, argument))()
        return msgpack.unpackb(settled.payload)

    return call


async def test_bash_is_there_only_when_it_is_allowed(root):
    names = ["read", "ls", "find", "grep"]

    assert [tool.name for tool in workspace_tools(root)] == names
    assert [tool.name for tool in workspace_tools(root, allow_bash=True)] == [*names, "bash"]


async def test_every_tool_has_words_schemas_and_its_way(root):
    tools = workspace_tools(root, allow_bash=True)

    assert all(tool.description and tool.input_schema and tool.output_schema for tool in tools)
    assert [tool.way for tool in tools] == [Way.THREAD] * 4 + [Way.TASK]


async def test_every_tool_answers_a_call(call):
    assert await call("read", {"path": "README.md"}) == "# Notes\n\nTODO: write\n"
    assert (await call("ls", {}))[0]["name"] == "README.md"
    assert await call("find", {"pattern": "*.md"}) == ["README.md"]
    assert (await call("grep", {"pattern": "Notes"}))[0]["line"] == 1
    assert (await call("bash", {"command": "echo hi"}))["output"] == "hi\n"


@pytest.mark.parametrize(
    ("name", "argument"),
    [
        ("read", {}),
        ("read", {"path": "README.md", "offset": 0}),
        ("ls", {"depth": 0}),
        ("find", {"pattern": "*", "limit": 10**9}),
        ("grep", {"pattern": ""}),
        ("bash", {"command": "true", "timeout_s": 0}),
        ("bash", {"command": "true", "cwd": "/"}),
    ],
)
async def test_an_argument_out_of_range_is_refused(root, name, argument):
    [tool] = [tool for tool in workspace_tools(root, allow_bash=True) if tool.name == name]

    assert tool.argument_check.fault(argument).startswith("argument")


async def test_a_root_that_is_a_link_is_followed_once(root, tmp_path):
    link = tmp_path / "link"
    link.symlink_to(root)
    [read, *_] = workspace_tools(link)
    link.unlink()
    link.symlink_to(tmp_path / "secrets")

    assert read.handler({"path": "README.md"}).startswith("# Notes")


async def test_a_root_that_is_no_directory_is_refused(root):
    with pytest.raises(NotADirectoryError):
        workspace_tools(root / "README.md")
