"""Definitions that are wrong harm only their tool; servers of the older protocol are served too."""

from __future__ import annotations

from typing import Any

import pytest
from live_servers import call, opened, plain, tool_of, wait_until

pytestmark = pytest.mark.anyio

OBJECT = {"type": "object"}
GOOD = {"name": "good", "inputSchema": OBJECT}


def definition(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "inputSchema": OBJECT, **more}


@pytest.mark.parametrize(
    "bad",
    [
        definition("bad", inputSchema={"type": "object", "properties": {"n": {"type": "integr"}}}),
        definition("bad", inputSchema={"type": "object", "$ref": "https://example.org/schema"}),
        definition("bad", inputSchema={"type": "object", "properties": {"a": {"pattern": "("}}}),
        definition("bad", inputSchema="nonsense"),
        definition("bad", inputSchema={"type": "object", "properties": ["n"]}),
        definition("bad", outputSchema={"type": "object", "properties": {"n": {"type": 1}}}),
        definition("bad", outputSchema="nonsense"),
        definition("bad", annotations="nonsense"),
        definition("bad", description=7),
        {"name": "bad"},
    ],
)
async def test_a_bad_definition_is_offered_as_far_as_it_is_sound(bad):
    async with opened(plain("one", [bad, GOOD])) as servers:
        assert [tool.name for tool in servers.tools] == ["one__bad", "one__good"]
        assert "bad" in servers.faults["one"][0]
        assert (await call(servers, "one__bad", {"x": 1}))["isError"] is False


@pytest.mark.parametrize("hopeless", [7, {}, {"name": 7, "inputSchema": OBJECT}, definition("")])
async def test_a_hopeless_definition_is_left_out(hopeless):
    async with opened(plain("one", [hopeless, GOOD])) as servers:
        assert [tool.name for tool in servers.tools] == ["one__good"]
        assert "left out" in servers.faults["one"][0]


async def test_a_schema_without_its_type_keeps_its_properties():
    schema = {"properties": {"n": {"type": "integer"}}}
    async with opened(plain("one", [definition("loose", inputSchema=schema)])) as servers:
        check = tool_of(servers, "one__loose").argument_check

        assert check is not None
        assert check.fault({"n": "1"}) == 'argument.n: "1" is not of type "integer"'


async def test_sound_definitions_have_no_faults():
    async with opened(plain("one", [GOOD])) as servers:
        assert servers.faults == {}


async def test_a_name_listed_twice_counts_once():
    first = definition("twice", description="first")
    async with opened(plain("one", [first, definition("twice", description="second")])) as servers:
        assert tool_of(servers, "one__twice").description == "first"
        assert servers.faults == {"one": ("tool 'twice' is listed twice; the first counts",)}


async def test_a_result_that_misses_its_schema_is_passed_on_as_it_is():
    output = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    async with opened(plain("one", [definition("careless", outputSchema=output)])) as servers:
        tool = tool_of(servers, "one__careless")

        assert tool.output_schema is not None
        assert tool.output_schema["properties"]["structuredContent"] == output
        assert (await call(servers, "one__careless"))["structuredContent"] == {"free": True}


async def test_a_changed_list_of_the_older_protocol_is_heard_of():
    async with opened(plain("one", [definition("swap"), GOOD])) as servers:
        good = tool_of(servers, "one__good")

        await call(servers, "one__swap", {"tools": [GOOD, definition("new")]})
        await wait_until(servers, lambda: any(tool.name == "one__new" for tool in servers.tools))

        assert [tool.name for tool in servers.tools] == ["one__good", "one__new"]
        assert tool_of(servers, "one__good") is good
