"""The examples are those of the OpenAPI specification and of RFC 6570."""

from __future__ import annotations

from urllib.parse import parse_qsl, unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pool.errors import ToolError
from pool.tools.sources.openapi.styles import header_text, path_text, query_pairs

LIST = ["blue", "black"]
OBJECT = {"R": 100, "G": 200}
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


@pytest.mark.parametrize(
    ("value", "style", "explode", "expected"),
    [
        ("blue", "simple", False, "blue"),
        (LIST, "simple", True, "blue,black"),
        (OBJECT, "simple", False, "R,100,G,200"),
        (OBJECT, "simple", True, "R=100,G=200"),
        ("blue", "label", False, ".blue"),
        (LIST, "label", False, ".blue,black"),
        (LIST, "label", True, ".blue.black"),
        (OBJECT, "label", True, ".R=100.G=200"),
        ("blue", "matrix", False, ";color=blue"),
        (LIST, "matrix", False, ";color=blue,black"),
        (LIST, "matrix", True, ";color=blue;color=black"),
        (OBJECT, "matrix", False, ";color=R,100,G,200"),
        (OBJECT, "matrix", True, ";R=100;G=200"),
    ],
)
def test_path_styles(value, style, explode, expected):
    assert path_text("color", value, style, explode=explode) == expected


@pytest.mark.parametrize(
    ("value", "style", "explode", "expected"),
    [
        (True, "form", True, "color=true"),
        ("", "form", True, "color="),
        (None, "form", True, ""),
        ([], "form", False, ""),
        (LIST, "form", True, "color=blue&color=black"),
        (LIST, "form", False, "color=blue,black"),
        (OBJECT, "form", True, "R=100&G=200"),
        (OBJECT, "form", False, "color=R,100,G,200"),
        (LIST, "spaceDelimited", False, "color=blue%20black"),
        (LIST, "pipeDelimited", False, "color=blue%7Cblack"),
        (OBJECT, "deepObject", True, "color%5BR%5D=100&color%5BG%5D=200"),
        (
            {"a": {"b": [1, 2]}},
            "deepObject",
            True,
            "color%5Ba%5D%5Bb%5D%5B0%5D=1&color%5Ba%5D%5Bb%5D%5B1%5D=2",
        ),
    ],
)
def test_query_styles(value, style, explode, expected):
    assert "&".join(query_pairs("color", value, style, explode=explode)) == expected


def test_reserved_characters_stay_where_allowed_but_never_those_that_part_a_query():
    text = "a/b?c:d&e=f#g+h%i"
    [pair] = query_pairs("q", text, "form", explode=True, allow_reserved=True)

    assert pair == "q=a/b?c:d%26e%3Df%23g%2Bh%25i"


@pytest.mark.parametrize("style", ["spaceDelimited", "pipeDelimited"])
def test_an_item_with_the_separator_is_refused(style):
    held = {"spaceDelimited": "a b", "pipeDelimited": "a|b"}[style]

    assert query_pairs("q", ["ab"], style, explode=False)
    with pytest.raises(ToolError, match="separator"):
        query_pairs("q", [held], style, explode=False)


@given(TEXTS, TEXTS)
def test_any_text_in_a_query_comes_back_as_it_was(name, value):
    query = "&".join(query_pairs(name, [value, value], "form", explode=True))

    assert parse_qsl(query, keep_blank_values=True) == [(name, value)] * 2


@given(st.lists(TEXTS, min_size=1, max_size=4))
def test_items_that_share_one_parameter_come_back_as_they_were(values):
    [pair] = query_pairs("q", values, "form", explode=False)

    assert [unquote(item) for item in pair.removeprefix("q=").split(",")] == values


@given(TEXTS)
def test_no_text_leaves_its_path_segment(value):
    url = urlsplit(f"http://host/{path_text('p', value, 'simple', explode=False)}/end")

    assert (url.netloc, url.path.count("/"), url.query, url.fragment) == ("host", 2, "", "")
    assert unquote(url.path[1 : -len("/end")]) == value


def test_a_header_is_sent_as_it_is():
    assert header_text("h", "a b, é", explode=False) == "a b, é"
    assert header_text("h", [1, 2], explode=False) == "1,2"
    assert header_text("h", OBJECT, explode=True) == "R=100,G=200"


@pytest.mark.parametrize("value", ["a\r\nx: y", "a\nb", "a\0", ["a,b"], {"a": {"b": 1}}, b"a"])
def test_what_a_header_cannot_hold_is_refused(value):
    with pytest.raises(ToolError):
        header_text("h", value, explode=False)
