from __future__ import annotations

import hashlib
import json
import subprocess

import deno
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pool.tools.names import identifier, identifiers


def suffixed(plain, name, digits=4):
    return f"{plain}_{hashlib.sha256(name.encode()).hexdigest()[:digits]}"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("search", "search"),
        ("notes__list-all", "notes__list_all"),
        ("a.b c/d", "a_b_c_d"),
        ("3d-print", "_3d_print"),
        ("查询天气", "查询天气"),
        ("größe", "größe"),
        ("поиск", "поиск"),
        ("$ref", "$ref"),
        ("🙂", "_"),
        ("-", "_"),
        ("class", "class"),
        ("constructor", "constructor"),
        ("__proto__", "__proto__"),
        ("then", "then_"),
        ("toJSON", "toJSON_"),
        ("Then", "Then"),
        ("\u0301a", "_\u0301a"),
    ],
)
def test_a_name_is_spelled_as_an_identifier(name, expected):
    assert identifier(name) == expected


def test_a_name_that_is_the_identifier_keeps_it_and_others_get_a_suffix():
    assert identifiers({"a_b", "a-b", "a.b"}) == {
        "a_b": "a_b",
        "a-b": suffixed("a_b", "a-b"),
        "a.b": suffixed("a_b", "a.b"),
    }


def test_without_such_a_name_every_collider_gets_a_suffix():
    assert identifiers({"a-b", "a.b"}) == {
        "a-b": suffixed("a_b", "a-b"),
        "a.b": suffixed("a_b", "a.b"),
    }


def test_a_reserved_name_gives_way_to_the_name_it_is_respelled_to():
    assert identifiers({"then", "then_"}) == {"then_": "then_", "then": suffixed("then_", "then")}


def test_a_suffixed_identifier_that_is_some_tools_own_name_gets_more_digits():
    squatter = suffixed("a_b", "a-b")

    assigned = identifiers({"a_b", "a-b", squatter})

    assert assigned[squatter] == squatter
    assert assigned["a-b"] == suffixed("a_b", "a-b", digits=5)


def test_a_name_whose_every_suffix_is_taken_still_gets_an_identifier():
    squatters = {suffixed("a_b", "a-b", digits) for digits in range(4, 65)}

    assigned = identifiers({"a_b", "a-b", *squatters})

    assert assigned["a-b"] == f"{suffixed('a_b', 'a-b', 64)}_"


# Few characters that are spelled alike, so that collisions are the rule.
COLLIDING = st.text(alphabet="ab-. _1查$", min_size=1, max_size=4)
NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6)


@given(st.lists(COLLIDING | NAMES | st.sampled_from(["then", "then_", "toJSON"]), unique=True))
def test_no_two_names_share_an_identifier(names):
    assert len(set(identifiers(names).values())) == len(names)


@given(st.lists(COLLIDING, unique=True), st.randoms())
def test_identifiers_depend_on_the_set_and_not_on_its_order(names, random):
    shuffled = random.sample(names, len(names))

    assert identifiers(shuffled) == identifiers(names)


@given(st.sets(COLLIDING | NAMES))
def test_a_name_that_is_an_identifier_is_never_respelled(names):
    assigned = identifiers(names)

    kept = [name for name in names if identifier(name) == name]
    assert all(assigned[name] == name for name in kept)


def test_every_character_is_spelled_so_that_v8_takes_it():
    # Beyond these planes nothing is a letter yet.
    points = [point for point in range(0x40000) if not 0xD800 <= point <= 0xDFFF]
    spelled = sorted({identifier(chr(point)) for point in points})
    check = """
        const names = JSON.parse(await new Response(Deno.stdin.readable).text());
        const valid = /^[\\p{ID_Start}$_][\\p{ID_Continue}$\\u200c\\u200d]*$/u;
        console.log(JSON.stringify(names.filter((name) => !valid.test(name))));
    """

    result = subprocess.run(
        [deno.find_deno_bin(), "eval", "--no-config", check],
        input=json.dumps(spelled).encode(),
        capture_output=True,
        check=True,
    )

    assert len(spelled) > 100_000
    assert json.loads(result.stdout) == []


def test_t2_identifiers_that_a_session_has_shown_stay_with_their_names():
    shown = {"a-b": "a_b", "gone": "gone"}

    assert identifiers(["a_b", "a-b"], shown) == {
        "a-b": "a_b",
        "a_b": suffixed("a_b", "a_b"),
    }
    assert identifiers(["gone!"], shown) == {"gone!": "gone_"}
    assert identifiers(["go-ne", "gone"], shown)["gone"] == "gone"
