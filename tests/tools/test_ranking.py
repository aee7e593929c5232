from __future__ import annotations

import pytest

from pool.tools.ranking import Document, Index, words


def document(name, description="", *, namespace="", parameters=""):
    return Document(name, namespace, description, parameters)


NOTES = [
    document("readFile", "Returns the text of a file"),
    document("list_issues", "Lists the issues of a repository", namespace="github"),
    document("create-issue", "Opens an issue", namespace="github", parameters="title body"),
    document("weather", "Forecast for a city", parameters="city days"),
    document("文件搜索", "在文件中搜索"),
]


def found(query, documents=NOTES):
    return [documents[at].name for at in Index(documents).search(query)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("readFile", ["read", "file"]),
        ("HTTPServerError", ["http", "server", "error"]),
        ("list_issues", ["list", "issue"]),
        ("create-issue", ["create", "issue"]),
        ("cities boxes names glasses", ["city", "box", "name", "glass"]),
        ("status is us", ["status", "is", "us"]),
        ("Größe Ящик", ["grösse", "ящик"]),
        ("文件搜索", ["文件", "件搜", "搜索"]),
        ("查", ["查"]),
        ("read文件", ["read", "文件"]),
        ("", []),
    ],
)
def test_text_becomes_words(text, expected):
    assert words(text) == expected


@pytest.mark.parametrize(
    "query",
    [
        "list_issues",
        "LIST_ISSUES",
        "listIssues",
        "list issues",
        "github__list_issues",
        "github list_issues",
        "please call list_issues now",
    ],
)
def test_a_tool_named_in_a_query_comes_first(query):
    assert found(query)[0] == "list_issues"


def test_an_exact_name_beats_a_description_full_of_the_word():
    documents = [document("forecast", "weather weather weather weather"), document("weather")]

    assert found("weather", documents)[0] == "weather"


def test_words_of_the_description_find_a_tool():
    assert found("forecast")[0] == "weather"


def test_names_of_parameters_find_a_tool():
    assert found("days") == ["weather"]


def test_a_plural_finds_the_singular():
    assert "create-issue" in found("issues")


def test_a_query_in_a_script_without_spaces_finds_its_tool():
    assert found("搜索") == ["文件搜索"]


def test_two_words_met_beat_one():
    assert found("open issue")[0] == "create-issue"


def test_a_tool_with_no_word_in_common_is_not_found():
    assert found("submarine") == []


def test_words_that_every_question_has_find_nothing_beside_a_telling_one():
    assert "readFile" not in found("the forecast of a city")


def test_equal_tools_stay_in_their_order():
    assert found("same", [document("b", "same"), document("a", "same")]) == ["b", "a"]


def test_an_empty_index_finds_nothing():
    assert Index([]).search("anything") == []
