from __future__ import annotations

import pytest

from pool.errors import ToolDefinitionError, ToolError
from pool.tools.catalog import Catalog, snapshot
from pool.tools.tool import Tool
from pool.wire.messages import CatalogEntry, Question


def make(name, description="", **fields):
    return Tool(name=name, handler=lambda argument: argument, description=description, **fields)


NOTES = [
    make("notes__list-all", "Lists all notes", namespace="notes"),
    make("notes__add", "Adds a note", namespace="notes", input_schema={"type": "object"}),
    make("weather", "Forecast for a city"),
]


def test_entries_are_in_the_order_of_the_tools():
    assert Catalog(NOTES).entries == (
        CatalogEntry("notes__list_all", "notes__list-all", "Lists all notes"),
        CatalogEntry("notes__add", "notes__add", "Adds a note"),
        CatalogEntry("weather", "weather", "Forecast for a city"),
    )


def test_a_tool_is_found_by_canonical_name_and_not_by_identifier():
    catalog = Catalog(NOTES)

    assert catalog.tool("notes__list-all") is NOTES[0]
    assert catalog.tool("notes__list_all") is None


def test_two_tools_of_one_name_are_refused():
    with pytest.raises(ToolDefinitionError, match="two tools are called 'a'"):
        Catalog([make("a"), make("a")])


def test_what_is_no_tool_is_refused_with_advice():
    with pytest.raises(ToolDefinitionError, match="is not a Tool; put @tool on a function"):
        Catalog([len])


def test_the_same_tools_give_the_same_snapshot():
    assert snapshot(tuple(NOTES)) is snapshot(tuple(NOTES))


def test_other_tools_of_the_same_names_give_another_snapshot():
    assert snapshot((make("a"),)) is not snapshot((make("a"),))


def test_a_search_gives_identifiers_with_their_namespace():
    assert Catalog(NOTES).answer(Question.SEARCH, {"query": "list notes"})[0] == {
        "name": "notes__list_all",
        "description": "Lists all notes",
        "namespace": "notes",
    }


def test_a_tool_without_namespace_is_found_without_one():
    assert Catalog(NOTES).answer(Question.SEARCH, {"query": "forecast"}) == [
        {"name": "weather", "description": "Forecast for a city"}
    ]


def test_a_search_keeps_to_its_namespace():
    tools = [*NOTES, make("files__list", "Lists notes", namespace="files")]

    found = Catalog(tools).answer(Question.SEARCH, {"query": "notes", "namespace": "files"})

    assert [each["name"] for each in found] == ["files__list"]


@pytest.mark.parametrize(("limit", "count"), [(None, 8), (1, 1), (20, 20), (3.0, 3)])
def test_a_search_gives_as_many_as_asked_for(limit, count):
    catalog = Catalog([make(f"note{number}", "a note") for number in range(30)])

    assert len(catalog.answer(Question.SEARCH, {"query": "note", "limit": limit})) == count


@pytest.mark.parametrize(
    ("argument", "fault"),
    [
        ({"query": ""}, "searchTools needs a query"),
        ({"query": " \n"}, "searchTools needs a query"),
        ({"query": 5}, "searchTools needs a query"),
        ({}, "searchTools needs a query"),
        (None, "searchTools needs a query"),
        ({"query": "a", "limit": 0}, "limit must be a positive whole number"),
        ({"query": "a", "limit": -1}, "limit must be a positive whole number"),
        ({"query": "a", "limit": 1.5}, "limit must be a positive whole number"),
        ({"query": "a", "limit": "8"}, "limit must be a positive whole number"),
        ({"query": "a", "limit": True}, "limit must be a positive whole number"),
        ({"query": "a", "namespace": 1}, "namespace must be a text"),
        ({"query": "a " * 5_000}, "the query has 10000 characters, the limit is 2000"),
    ],
)
def test_a_search_that_makes_no_sense_says_why(argument, fault):
    with pytest.raises(ToolError, match=fault):
        Catalog(NOTES).answer(Question.SEARCH, argument)


@pytest.mark.parametrize("name", ["notes__list-all", "notes__list_all"])
def test_a_tool_is_described_by_either_name(name):
    text = Catalog(NOTES).answer(Question.DESCRIBE, {"name": name})

    assert "/** Lists all notes */\n  notes__list_all(input?: unknown)" in text


def test_a_name_that_is_one_tools_identifier_and_anothers_name_means_the_identifier():
    tools = [make("then", "Reserved"), make("then_x", "Other")]

    assert "Reserved" in Catalog(tools).answer(Question.DESCRIBE, {"name": "then_"})


def test_a_tool_there_is_not_has_no_description():
    assert Catalog(NOTES).answer(Question.DESCRIBE, {"name": "nothing"}) is None


def test_a_namespace_lists_the_identifiers_of_its_tools():
    assert Catalog(NOTES).answer(Question.NAMESPACE, {"name": "notes"}) == {
        "name": "notes",
        "tools": ["notes__list_all", "notes__add"],
    }


def test_a_namespace_there_is_not_is_nothing():
    assert Catalog(NOTES).answer(Question.NAMESPACE, {"name": "mail"}) is None


def test_signatures_are_those_of_all_tools_by_identifier():
    assert Catalog(NOTES).answer(Question.SIGNATURES, {}) == {
        "notes__list_all": "(input?: unknown) => Promise<unknown>",
        "notes__add": "(input?: { [key: string]: unknown }) => Promise<unknown>",
        "weather": "(input?: unknown) => Promise<unknown>",
    }


@pytest.mark.parametrize("question", [Question.DESCRIBE, Question.NAMESPACE])
def test_a_question_without_a_name_says_so(question):
    with pytest.raises(ToolError, match="needs a name"):
        Catalog(NOTES).answer(question, {"name": ""})


def test_an_empty_catalogue_answers_too():
    assert Catalog().answer(Question.SEARCH, {"query": "a"}) == []
