"""References to environment variables in configuration texts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pool.tools.sources.expand import expanded

NAMES = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,8}", fullmatch=True)


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("", ""),
        ("plain", "plain"),
        ("${TOKEN}", "s3cret"),
        ("Bearer ${TOKEN}!", "Bearer s3cret!"),
        ("${TOKEN}${TOKEN}", "s3crets3cret"),
        ("${EMPTY}", ""),
        ("${TOKEN:-other}", "s3cret"),
        ("${EMPTY:-other}", "other"),
        ("${MISSING:-other}", "other"),
        ("${MISSING:-}", ""),
        ("${MISSING:-https://host:1/a b?c=$d}", "https://host:1/a b?c=$d"),
        ("${DOLLAR:-$}{TOKEN}", "${TOKEN}"),
    ],
)
def test_a_reference_becomes_the_value_or_its_default(text: str, result: str) -> None:
    assert expanded(text, {"TOKEN": "s3cret", "EMPTY": ""}) == result


@pytest.mark.parametrize(
    "text",
    ["$TOKEN", "$$", "${", "${}", "${1}", "${a.b}", "${a b}", "${TOKEN", "${TOKEN:x}", "{a}"],
)
def test_what_is_no_reference_stays_as_it_is(text: str) -> None:
    assert expanded(text, {"TOKEN": "s3cret"}) == text


def test_a_missing_variable_is_named_and_no_secret_beside_it() -> None:
    with pytest.raises(ValueError, match="MISSING") as caught:
        expanded("s3cret ${TOKEN} ${MISSING}", {"TOKEN": "s3cret"})

    assert str(caught.value) == "the environment variable MISSING is not set"


@given(name=NAMES, value=st.text(), before=st.text("ab$ "), after=st.text("ab} "))
def test_a_value_is_put_in_as_it_is_and_not_expanded_again(
    name: str, value: str, before: str, after: str
) -> None:
    assert expanded(f"{before}${{{name}}}{after}", {name: value}) == f"{before}{value}{after}"


@given(st.text().filter(lambda text: "${" not in text))
def test_a_text_without_the_opening_is_unchanged(text: str) -> None:
    assert expanded(text, {}) == text
