"""What a client is shown of a set of tools."""

from __future__ import annotations

import pytest

from pool import Exposure, Tool
from pool.mcp_server.offer import Offer, Settings
from pool.tools.selection import Mode
from pool.tools.sources.opened import Sources


def tool(name: str, exposure: Exposure = Exposure.CODEMODE) -> Tool:
    return Tool(name=name, handler=lambda _: None, description="Words.", exposure=exposure)


def offered(tools, rules, mode, inline_tokens):
    return Settings(Sources(tuple(tools)), tuple(rules), mode, inline_tokens).offer()


def names(offer: Offer) -> list[str]:
    return [shown.name for shown in offer.shown()]


@pytest.mark.parametrize("mode", list(Mode))
def test_a_hidden_tool_is_nowhere(mode: Mode):
    offer = offered([tool("seen"), tool("unseen", Exposure.HIDDEN)], [], mode, 3000)

    assert names(offer) == ["codemode"]
    assert "unseen" not in offer.shown()[0].description
    assert "seen" in offer.shown()[0].description


@pytest.mark.parametrize(("mode", "declared"), [(Mode.ON, ["plain"]), (Mode.ONLY, [])])
def test_direct_tools_stand_beside_codemode_in_mode_on_alone(mode: Mode, declared: list[str]):
    offer = offered([tool("plain", Exposure.DIRECT), tool("other")], [], mode, 3000)

    assert names(offer) == ["codemode", *declared]
    assert [each.name for each in offer.selection.callable] == ["other", "plain"]


def test_mode_only_documents_the_direct_tools_too():
    plain = tool("plain", Exposure.DIRECT)

    assert "plain" in offered([plain], [], Mode.ONLY, 3000).shown()[0].description
    assert "plain" not in offered([plain], [], Mode.ON, 3000).shown()[0].description


def test_a_deferred_tool_brings_tool_search():
    assert names(offered([tool("later", Exposure.DEFERRED)], [], Mode.ON, 0)) == [
        "codemode",
        "tool_search",
    ]


def test_rules_take_codemode_away():
    plain = tool("plain", Exposure.DIRECT)

    assert names(offered([plain], ["-codemode"], Mode.ON, 0)) == ["plain"]


def test_programs_call_a_direct_tool_by_its_identifier():
    offer = offered([tool("list-all", Exposure.DIRECT)], [], Mode.ON, 0)

    assert "await tools.list_all(…)" in offer.shown()[1].description
