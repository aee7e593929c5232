from __future__ import annotations

import re
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from pool.tools.inline import CHARS_PER_TOKEN, MAX_NAMESPACE_CHARS, Inlined, inline
from pool.tools.namespace import Namespace

SCHEMA = {
    "type": "object",
    "properties": {"path": {"type": "string", "description": "Where it lies"}},
    "required": ["path"],
}


def tool(identifier, namespace=None, *, description="Reads.", schema=SCHEMA):
    return Inlined(identifier, namespace, description, schema, None)


def test_m3_with_room_enough_every_tool_is_there_in_full():
    text = inline([tool("read"), tool("grep", "files")], budget_tokens=3_000)

    assert text == (
        "This is the complete list of tools.\n\n"
        "declare const tools: {\n"
        "  /** Reads. */\n"
        "  read(input: {\n"
        "    /** Where it lies */\n"
        "    path: string;\n"
        "  }): Promise<unknown>;\n"
        "  /** Reads. */\n"
        "  grep(input: {\n"
        "    /** Where it lies */\n"
        "    path: string;\n"
        "  }): Promise<unknown>;\n"
        "};\n\n"
        "Namespaces (describeNamespace(name) lists one):\n- files"
    )


def test_m3_a_tool_that_does_not_fit_is_a_signature_then_a_name_then_a_number():
    tools = [tool("read", description="word " * 50)]
    texts = [inline(tools, budget_tokens=budget) for budget in (100, 20, 5, 0)]

    assert ["word word" in text for text in texts] == [True, False, False, False]
    assert "  read: (input: { path: string }) => Promise<unknown>;" in texts[1]
    assert "By name alone: read." in texts[2]
    assert "read" not in texts[3]
    assert "- without a namespace (1 not shown)" in texts[3]


def test_m3_no_budget_lists_namespaces_only():
    tools = [tool("a", "one"), tool("b", "two"), tool("c", "two")]
    described = [Namespace("two", "The second\nof them")]

    assert inline(tools, budget_tokens=0, namespaces=described) == (
        "This list of tools is not complete: searchTools(query) finds others, and "
        "describeTool(name) tells how one is called.\n\n"
        "Namespaces (describeNamespace(name) lists one):\n"
        "- one (1 not shown)\n- two: The second of them (2 not shown)"
    )


def test_m3_namespaces_take_turns_and_tools_without_one_come_first():
    tools = [tool(f"{group}{n}", group or None) for group in ("b", "a", "") for n in range(2)]
    text = inline(tools, budget_tokens=3_000)
    order = sorted((text.index(f"  {each.identifier}("), each.identifier) for each in tools)

    assert [name for _, name in order] == ["0", "a0", "b0", "1", "a1", "b1"]


def test_m3_the_cheapest_of_a_namespace_comes_first():
    tools = [tool("a", description="long " * 20), tool("z", description="")]
    text = inline(tools, budget_tokens=3_000)

    assert text.index("  z(") < text.index("  a(")


def test_m3_tools_that_come_and_go_never_show():
    dynamic = [Namespace("server", "A server", is_dynamic=True)]
    with_tools = inline([tool("x", "server"), tool("y")], budget_tokens=3_000, namespaces=dynamic)
    without = inline([tool("y")], budget_tokens=3_000, namespaces=dynamic)

    assert with_tools == without
    assert "- server: A server" in without
    assert "not complete" in without


def test_types_of_two_tools_with_the_same_name_are_told_apart():
    schema = {"$ref": "#/$defs/item", "$defs": {"item": SCHEMA}}
    text = inline([tool("put", schema=schema), tool("get_it", schema=schema)], budget_tokens=999)

    assert "type PutItem = {" in text
    assert "type GetItItem = {" in text


def test_the_description_of_a_namespace_is_cut():
    namespaces = [Namespace("n", "x" * 1_000)]

    assert len(inline([tool("a", "n")], budget_tokens=0, namespaces=namespaces)) < (
        MAX_NAMESPACE_CHARS + 250
    )


def test_nothing_is_said_to_be_nothing():
    assert inline([], budget_tokens=100) == "There are no tools."


TOOLS = st.lists(
    st.builds(
        tool,
        st.from_regex(r"[a-z]{1,8}", fullmatch=True),
        st.none() | st.sampled_from(["a", "b"]),
        description=st.text("ab \n", max_size=60),
        schema=st.none() | st.just(SCHEMA),
    ),
    max_size=8,
    unique_by=lambda each: each.identifier,
)


@given(tools=TOOLS, budget=st.integers(0, 150), shuffled=st.randoms())
def test_m3_the_text_keeps_to_the_budget_and_does_not_depend_on_the_order(tools, budget, shuffled):
    text = inline(tools, budget_tokens=budget)
    frame = inline(tools, budget_tokens=0)
    around = len("declare const tools: {\n};\n\n") + len("By name alone: .\n\n")
    others = [replace(each) for each in tools]
    shuffled.shuffle(others)

    assert len(text) <= len(frame) + around + budget * CHARS_PER_TOKEN
    assert inline(others, budget_tokens=budget) == text


@given(tools=TOOLS, budget=st.integers(0, 150))
def test_m3_every_tool_is_shown_or_counted(tools, budget):
    text = inline(tools, budget_tokens=budget)
    shown = sum(bool(re.search(rf"^  {each.identifier}[(:]", text, re.M)) for each in tools)
    names = [line for line in text.splitlines() if line.startswith("By name alone: ")]
    named = len(names[0].split(", ")) if names else 0
    counted = sum(
        int(line.split("(")[-1].split()[0])
        for line in text.splitlines()
        if "(" in line and line.endswith("not shown)")
    )

    assert shown + named + counted == len(tools)
