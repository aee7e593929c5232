from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pool.tools.ranking import Document, Index, words


def document(name, description="", *, namespace="", parameters="", aliases=()):
    return Document(name, namespace, description, parameters, aliases=aliases)


NOTES = [
    document("readFile", "Returns the text of a file"),
    document("list_issues", "Lists the issues of a repository", namespace="github"),
    document("create-issue", "Opens an issue", namespace="github", parameters="title body"),
    document("weather", "Forecast for a city", parameters="city days"),
    document("文件搜索", "在文件中搜索"),
]


def index(documents=NOTES):
    return Index({document.name: document for document in documents})


def found(query, documents=NOTES, **options):
    matches = index(documents).search(query, **{"limit": 50, **options}).matches
    return [match.key for match in matches]


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
        ("tìm kiếm", ["tìm", "kiếm"]),
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
def test_d4_a_tool_named_in_a_query_comes_first(query):
    assert found(query)[0] == "list_issues"


def test_d4_an_exact_name_beats_a_description_full_of_the_word():
    documents = [document("forecast", "weather weather weather weather"), document("weather")]

    assert found("weather", documents)[0] == "weather"


def test_d4_of_several_names_in_a_query_all_come_before_anything_else():
    documents = [*NOTES, document("issues_of_files", "readFile list issues read file")]

    assert set(found("use read_file, then list_issues", documents)[:2]) == {
        "readFile",
        "list_issues",
    }


def test_a_word_of_prose_that_is_the_name_of_a_tool_does_not_come_before_what_fits():
    documents = [document("run"), document("run_query", "Runs SQL against a database")]

    assert found("run-time SQL database query, run.", documents)[0] == "run_query"


def test_a_tool_without_a_description_is_found_by_its_name():
    assert found("list issues", [document("list_issues"), document("x", "issue " * 9)])[0] == (
        "list_issues"
    )


def test_words_of_the_description_find_a_tool():
    assert found("forecast")[0] == "weather"


def test_names_of_parameters_find_a_tool():
    assert found("days") == ["weather"]


def test_a_plural_finds_the_singular():
    assert "create-issue" in found("issues")


def test_a_query_in_a_script_without_spaces_finds_its_tool():
    assert found("搜索") == ["文件搜索", *found("find")]


def test_another_word_for_it_finds_a_tool_behind_those_that_hold_the_word():
    documents = [document("a", "Removes a note"), document("b", "Deletes a note")]

    assert found("delete", documents) == ["b", "a"]


@pytest.mark.parametrize("query", ["Datei lesen", "lire un fichier", "读取文件", "파일 읽기"])
def test_words_of_other_languages_find_a_tool(query):
    assert "readFile" in found(query)


@pytest.mark.parametrize("query", ["wether", "weathr", "weatther", "waether", "weathet"])
def test_d4_a_name_with_a_wrong_letter_is_found(query):
    assert found(query) == ["weather"]


def test_a_short_word_has_no_neighbours():
    assert found("cat", [document("cut")]) == []


def test_aliases_find_a_tool_and_are_as_good_as_its_name():
    documents = [document("x17", aliases=("shopping list",)), document("list", "shopping")]

    assert found("shopping_list", documents)[0] == "x17"


def test_a_namespace_filters_and_the_words_of_its_name_then_say_nothing():
    documents = [
        document("github_status", "github github", namespace="github"),
        document("list_issues", "Lists them", namespace="github"),
        document("issues", "issues", namespace="other"),
    ]

    assert found("github issues", documents, namespace="github") == ["list_issues"]


@pytest.mark.parametrize("query", ["weather AND NOT", '"weather"', "weather*", "NEAR(weather)"])
def test_operators_of_other_search_languages_mean_nothing(query):
    assert found(query)[0] == "weather"


def test_what_may_not_be_found_is_not_counted_either():
    everything = index().search("issue", limit=1)
    allowed = index().search("issue", limit=1, among=lambda key: key != "create-issue")

    assert everything.total == 2
    assert (allowed.total, [match.key for match in allowed.matches]) == (1, ["list_issues"])


def test_a_match_that_covers_little_of_the_question_is_weak():
    strong, weak = (
        index().search(query, limit=1).matches[0]
        for query in ("forecast city", "forecast quantum chromodynamics lattice")
    )

    assert (strong.key, strong.is_weak) == ("weather", False)
    assert (weak.key, weak.is_weak) == ("weather", True)


def test_a_tool_that_is_named_is_never_weak():
    match = index().search("zzz qqq vvv list_issues", limit=1).matches[0]

    assert (match.key, match.is_weak) == ("list_issues", False)


def test_equal_tools_come_in_the_order_of_their_names():
    twins = [document(name, "the same") for name in ("b_tool", "a_tool", "c_tool")]

    assert found("same", twins) == ["a_tool", "b_tool", "c_tool"]


def test_nothing_is_found_in_nothing_and_for_nothing():
    assert Index().search("anything", limit=8).matches == ()
    assert found("zzzqqq") == []
    assert found("...") == []


def test_a_common_word_ranks_what_a_rare_one_found_and_adds_nothing_else():
    many = {f"get_{n}": document(f"get_{n}", f"rare{n % 2}") for n in range(2_000)}
    found = Index(many).search("get rare1", limit=2_000)

    assert found.total == 1_000


TEXTS = st.sampled_from(["read file", "list issues", "weather", "send mail", "文件", "file list"])
DOCUMENTS = st.builds(Document, name=TEXTS, namespace=st.sampled_from(["", "g"]), description=TEXTS)
CHANGES = st.lists(st.tuples(st.sampled_from("abcd"), st.none() | DOCUMENTS), max_size=20)


@given(changes=CHANGES, query=TEXTS)
def test_d4_an_index_answers_for_what_it_holds_however_it_came_about(changes, query):
    changed, holds = Index(), {}
    for key, item in changes:
        if item is None:
            changed.remove(key)
            holds.pop(key, None)
        else:
            changed.put(key, item)
            holds[key] = item

    assert changed.search(query, limit=9) == Index(holds).search(query, limit=9)


@given(changes=CHANGES)
def test_an_emptied_index_holds_nothing_any_more(changes):
    changed = Index()
    for key, item in changes:
        changed.put(key, item or document("read file"))
    for key, _ in changes:
        changed.remove(key)

    assert vars(changed) | {"_neighbours": None} == vars(Index()) | {"_neighbours": None}
    assert vars(changed._neighbours) == vars(Index()._neighbours)
