"""What a client is shown of a set of tools."""

from __future__ import annotations

import pytest

from pool import Exposure, Tool
from pool.mcp_server.offer import Mode, Offer

SCHEMA = {"type": "object", "properties": {"x": {"type": "string"}}, "required": ["x"]}


def tool(name: str, exposure: Exposure = Exposure.CODEMODE, words: int = 1) -> Tool:
    return Tool(
        name=name,
        handler=lambda _: None,
        description="word " * words,
        input_schema=SCHEMA,
        exposure=exposure,
    )


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize("exposure", [Exposure.HIDDEN, Exposure.MODEL_ONLY])
def test_tools_that_no_program_calls_are_nowhere(mode: Mode, exposure: Exposure):
    offer = Offer.of([tool("seen"), tool("unseen", exposure)], mode, 3000)

    assert [each.name for each in offer.callable] == ["seen"]
    assert offer.declared == ()
    assert "unseen" not in offer.description
    assert "seen" in offer.description


@pytest.mark.parametrize(("mode", "names"), [(Mode.ON, ["plain"]), (Mode.ONLY, [])])
def test_direct_tools_are_declared_beside_codemode_in_mode_on_alone(mode: Mode, names: list[str]):
    offer = Offer.of([tool("plain", Exposure.DIRECT), tool("other")], mode, 3000)

    assert [each.tool.name for each in offer.declared] == names
    assert [each.name for each in offer.callable] == ["plain", "other"]


def test_a_tool_that_does_not_fit_in_full_is_a_signature_then_a_name_then_a_count():
    tools = [tool("a"), tool("b", words=200), tool("c", words=200), tool("d", words=200)]
    whole = Offer.of(tools, Mode.ON, 3000).description
    short = Offer.of(tools, Mode.ON, 45).description
    none = Offer.of(tools, Mode.ON, 0).description

    assert whole.endswith("These are all tools that are not declared elsewhere.")
    assert "tools.b: (input: " in short
    assert "\ntools.c\n" in short
    assert none.endswith("4 more tools are found with searchTools.")


def test_the_text_does_not_depend_on_the_order_of_tools():
    tools = [tool("a"), tool("b", words=9), tool("c")]

    assert (
        Offer.of(tools, Mode.ON, 3000).description
        == Offer.of(tools[::-1], Mode.ON, 3000).description
    )


def test_programs_call_a_direct_tool_by_its_identifier():
    (direct,) = Offer.of([tool("list-all", Exposure.DIRECT)], Mode.ON, 0).declared

    assert "tools.list_all({…})" in direct.description
