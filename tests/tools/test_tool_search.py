from __future__ import annotations

import pytest

from pool.errors import ToolError
from pool.tools.exposure import Exposure
from pool.tools.namespace import Namespace
from pool.tools.selection import select
from pool.tools.tool import Tool
from pool.tools.tool_search import MAX_QUERY_CHARS, MAX_RESULTS, tool_search


def tool(name, description="", exposure=Exposure.CODEMODE, **more):
    return Tool(name=name, handler=len, description=description, exposure=exposure, **more)


TOOLS = (
    tool("github__list_issues", "Lists issues"),
    tool("github__create_issue", "Opens an issue", Exposure.DEFERRED),
    tool("weather", "Forecast for a city"),
    tool("read", "Reads a file", Exposure.DIRECT),
    tool("issue_money", "Issues money", Exposure.HIDDEN),
    tool("issue_picker", "Shows issues to the user", Exposure.MODEL_ONLY),
)
SELECTION = select(TOOLS)


def search(query, selection=SELECTION, **options):
    return tool_search({"query": query}, selection, **options)


def test_d3_matches_become_active_and_what_was_active_stays():
    result = search("issue")

    assert set(result.loaded) == {"github__list_issues", "github__create_issue"}
    assert result.selection.active == SELECTION.active | set(result.loaded)
    assert result.details == {
        "loaded": list(result.loaded),
        "weak": [],
        "total": 2,
        "truncated": False,
    }
    assert all(name in result.text for name in result.loaded)


def test_d3_the_selection_of_a_request_already_prepared_does_not_change():
    before = SELECTION.declared
    search("issue")

    assert SELECTION.declared == before


def test_d2_what_is_active_hidden_model_only_or_direct_is_never_found():
    first = search("issue").selection
    again = search("issue", first)

    assert again.loaded == ()
    assert again.selection == first
    assert "money" not in again.text
    assert "picker" not in again.text
    assert search("file").loaded == ()


def test_d2_no_match_says_what_was_searched_and_what_was_not():
    result = search("quantum chromodynamics", unconnected=["wiki", "jira"])

    assert result.text == (
        "None of the 3 tools that could be loaded matches.\n"
        "Not searched, because they are not connected: jira, wiki."
    )
    assert (result.loaded, result.total) == ((), 0)


def test_d2_no_match_says_when_a_matching_tool_is_active_and_never_names_a_hidden_one():
    assert "Already active and matching: read." in search("read file").text
    assert "money" not in search("money").text


def test_d2_what_the_parent_excludes_is_not_found():
    child = select(TOOLS, parent=select(TOOLS[2:]))

    assert search("issue", child).loaded == ()
    assert search("weather", child).loaded == ("weather",)


def test_d1_the_limit_cuts_and_says_so():
    result = tool_search({"query": "issue", "limit": 1}, SELECTION)

    assert len(result.loaded) == 1
    assert (result.details["total"], result.details["truncated"]) == (2, True)


@pytest.mark.parametrize("limit", [1, 8, 8.0, MAX_RESULTS, 10**9])
def test_d1_any_positive_whole_number_is_a_limit(limit):
    assert tool_search({"query": "weather", "limit": limit}, SELECTION).loaded == ("weather",)


def test_d1_more_than_a_model_reads_is_not_loaded():
    many = select([tool(f"t{n}", "the same words") for n in range(MAX_RESULTS + 5)])

    assert len(tool_search({"query": "same words", "limit": 10**9}, many).loaded) == MAX_RESULTS


@pytest.mark.parametrize(
    ("argument", "complaint"),
    [
        (None, "needs an object"),
        ("issue", "needs an object"),
        ({}, "query must be a text that is not empty"),
        ({"query": " \n"}, "query must be a text that is not empty"),
        ({"query": 5}, "query must be a text that is not empty"),
        ({"query": "x" * (MAX_QUERY_CHARS + 1)}, "the limit is 2000"),
        ({"query": "x", "limit": 0}, "positive whole number"),
        ({"query": "x", "limit": -1}, "positive whole number"),
        ({"query": "x", "limit": 1.5}, "positive whole number"),
        ({"query": "x", "limit": True}, "positive whole number"),
        ({"query": "x", "limit": "8"}, "positive whole number"),
        ({"query": "x", "limit": None}, "positive whole number"),
        ({"query": "x", "top": 3}, "knows query and limit, not top"),
    ],
)
def test_d1_anything_else_is_a_clear_error(argument, complaint):
    with pytest.raises(ToolError, match=complaint):
        tool_search(argument, SELECTION)


def test_d4_namespaces_are_searched_by_what_they_are_for():
    tools = [tool("a__x", "Does it", namespace="a"), tool("b__x", "Does it", namespace="b")]
    told = [Namespace("a", "Payroll of the company"), Namespace("b", "Parking lots")]

    assert search("payroll", select(tools), namespaces=told).loaded == ("a__x",)


def test_d3_a_weak_match_is_loaded_and_called_weak():
    result = search("forecast of quantum lattice chromodynamics")

    assert result.weak == result.loaded == ("weather",)
    assert "weather (a weak match)" in result.text


def test_d3_it_widens_no_right():
    assert search("issue").selection.callable == SELECTION.callable
