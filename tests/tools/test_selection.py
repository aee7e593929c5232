from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pool.errors import UsageError
from pool.tools.exposure import Exposure
from pool.tools.selection import CODEMODE, TOOL_SEARCH, Mode, how_to_call, require_idle, select
from pool.tools.tool import Tool


def tool(name, exposure=Exposure.DIRECT):
    return Tool(name=name, handler=len, exposure=exposure)


READ = tool("read")
BASH = tool("bash")
ISSUES = tool("github__issues", Exposure.CODEMODE)
PAGES = tool("wiki__pages", Exposure.DEFERRED)
ASK = tool("ask_user", Exposure.MODEL_ONLY)
SECRET = tool("secrets", Exposure.HIDDEN)
TOOLS = (READ, BASH, ISSUES, PAGES, ASK, SECRET)


def names(tools):
    return {each.name for each in tools}


def declared(selection):
    return {each.tool.name for each in selection.declared}


def test_m5_codemode_and_tool_search_are_inactive_by_default():
    selection = select([READ, BASH])

    assert not selection.has_codemode
    assert not selection.has_tool_search
    assert declared(selection) == {"read", "bash"}
    assert selection.callable == ()


@pytest.mark.parametrize(
    ("tools", "active"),
    [
        ([READ, ISSUES], {CODEMODE}),
        ([READ, PAGES], {TOOL_SEARCH}),
        ([READ, ISSUES, PAGES], {CODEMODE, TOOL_SEARCH}),
        ([READ, ASK, SECRET], set()),
    ],
)
def test_m5_what_a_source_exposes_switches_on_what_reaches_it(tools, active):
    assert select(tools).active - {"read"} == active


@pytest.mark.parametrize("rules", [["-codemode"], ["+codemode", "-codemode"]])
def test_m5_an_explicit_rule_keeps_it_off(rules):
    assert not select([ISSUES], rules).has_codemode


def test_m5_the_last_rule_for_a_name_counts():
    assert select([ISSUES], ["-codemode", "+codemode"]).has_codemode
    assert declared(select([READ], ["-read", "+read"])) == {"read"}


def test_m5_plain_names_replace_the_defaults():
    assert declared(select(TOOLS, ["bash"])) == {"bash"}


def test_m5_signed_names_change_the_defaults():
    selection = select(TOOLS, ["-bash", "+codemode", "+ask_user"], defaults=["bash", "read"])

    assert declared(selection) == {"read", "ask_user"}
    assert selection.has_codemode


def test_m5_plain_and_signed_names_are_not_mixed():
    with pytest.raises(UsageError, match="not mixed: read, \\+codemode"):
        select(TOOLS, ["read", "+codemode"])


@pytest.mark.parametrize("rule", ["raed", "+raed", "-raed"])
def test_m5_an_unknown_name_is_refused_and_near_ones_are_told(rule):
    with pytest.raises(UsageError, match="no tool 'raed' to select; did you mean read"):
        select(TOOLS, [rule])


def test_m4_a_hidden_tool_is_unknown_and_nobodys_near_name():
    for rule in ("secrets", "+secrets", "secret"):
        with pytest.raises(UsageError) as refusal:
            select(TOOLS, [rule])
        assert "did you mean" not in str(refusal.value)


def test_m5_a_default_that_is_gone_is_passed_over():
    assert declared(select([READ], defaults=["read", "uninstalled"])) == {"read"}


@pytest.mark.parametrize(
    ("rules", "callable", "shown"),
    [
        (["+codemode"], {"read", "bash", "github__issues", "wiki__pages"}, {"read", "bash"}),
        (["+codemode", "-read"], {"bash", "github__issues", "wiki__pages"}, {"bash"}),
        (
            ["+codemode", "+github__issues"],
            {"read", "bash", "github__issues", "wiki__pages"},
            {"read", "bash", "github__issues"},
        ),
        (
            ["+codemode", "+ask_user"],
            {"read", "bash", "github__issues", "wiki__pages"},
            {"read", "bash", "ask_user"},
        ),
    ],
)
def test_m4_exposures_say_who_sees_and_who_calls(rules, callable, shown):
    selection = select(TOOLS, rules)

    assert names(selection.callable) == callable
    assert declared(selection) == shown


def test_m2_a_declaration_says_whether_programs_can_call_it_too():
    selection = select(TOOLS, ["+codemode", "+ask_user"])

    assert {each.tool.name: each.is_callable for each in selection.declared} == {
        "read": True,
        "bash": True,
        "ask_user": False,
    }
    assert how_to_call("read") == "In a program of `codemode`: `await tools.read(…)`."


def test_m2_mode_only_hides_what_a_program_can_call_and_nothing_else():
    selection = select(TOOLS, ["+codemode", "+ask_user"], mode=Mode.ONLY)

    assert declared(selection) == {"ask_user"}
    assert names(selection.callable) == {"read", "bash", "github__issues", "wiki__pages"}


def test_m2_mode_only_enables_nothing_and_without_codemode_hides_nothing():
    selection = select([READ], mode=Mode.ONLY)

    assert not selection.has_codemode
    assert declared(selection) == {"read"}


def test_d3_what_was_loaded_is_declared_in_mode_only_too_and_widens_no_right():
    before = select(TOOLS, ["+codemode"], mode=Mode.ONLY)
    after = before.load(["wiki__pages", "secrets", "bash", "nothing", "wiki__pages"])

    assert after.loaded == ("wiki__pages",)
    assert declared(after) == {"wiki__pages"}
    assert after.callable == before.callable
    assert names(after.loadable) == {"github__issues"}


def test_d5_codemode_and_tool_search_are_independent():
    assert select(TOOLS, ["-codemode"]).has_tool_search
    assert select(TOOLS, ["-tool_search"]).has_codemode


def test_m5_a_session_reaches_at_most_what_its_parent_does():
    parent = select(TOOLS, ["-bash", "-tool_search"])
    child = select([*TOOLS, tool("new", Exposure.CODEMODE)], parent=parent)

    assert names(child.tools) == {"read", "github__issues", "wiki__pages"}
    assert not child.has_tool_search
    with pytest.raises(UsageError, match="no tool 'bash'"):
        select(TOOLS, ["+bash"], parent=parent)


def test_m5_without_codemode_in_the_parent_there_is_none_below():
    child = select(TOOLS, parent=select(TOOLS, ["-codemode"]))

    assert not child.has_codemode
    with pytest.raises(UsageError, match="no tool 'codemode'"):
        select(TOOLS, ["+codemode"], parent=select(TOOLS, ["-codemode"]))


def test_m6_a_session_that_is_not_idle_keeps_its_selection():
    require_idle(is_running=False, has_queued=False)
    with pytest.raises(UsageError, match="while a run is active"):
        require_idle(is_running=True, has_queued=False)
    with pytest.raises(UsageError, match="while input is queued"):
        require_idle(is_running=False, has_queued=True)


def test_m7_programs_can_call_neither_of_the_models_own_tools():
    selection = select(TOOLS, ["+codemode", "+tool_search"])

    assert {CODEMODE, TOOL_SEARCH} <= selection.active
    assert not {CODEMODE, TOOL_SEARCH} & names(selection.callable)


@pytest.mark.parametrize("name", [CODEMODE, TOOL_SEARCH])
def test_m7_no_other_tool_takes_the_name_of_one_of_the_models_own(name):
    with pytest.raises(UsageError, match=f"'{name}' is the model's own"):
        select([tool(name)])
    assert name not in select([tool(name, Exposure.MODEL_ONLY)]).active


POOLS = st.lists(
    st.builds(tool, st.sampled_from("abcdefgh"), st.sampled_from(Exposure)),
    max_size=8,
    unique_by=lambda each: each.name,
)
RULES = st.lists(
    st.tuples(st.sampled_from("+-"), st.sampled_from([*"abcdefgh", CODEMODE, TOOL_SEARCH])),
    max_size=6,
)


def selected(tools, rules, **options):
    """As `select`, without rules that name nothing there is."""
    known = names(select(tools, **options).tools) | {CODEMODE, TOOL_SEARCH}
    parent = options.get("parent")
    if parent is not None:
        known -= {CODEMODE, TOOL_SEARCH} - parent.active
    return select(tools, [sign + name for sign, name in rules if name in known], **options)


@given(POOLS, RULES, st.sampled_from(Mode), st.lists(st.sampled_from("abcdefgh")))
def test_m4_a_hidden_tool_is_nowhere_whatever_is_selected_and_loaded(tools, rules, mode, loads):
    selection = selected(tools, rules, mode=mode).load(loads)
    hidden = {each.name for each in tools if each.exposure is Exposure.HIDDEN}
    model_only = {each.name for each in tools if each.exposure is Exposure.MODEL_ONLY}
    seen = declared(selection) | names(selection.loadable) | selection.active

    assert not hidden & (seen | names(selection.callable))
    assert not model_only & (names(selection.callable) | names(selection.loadable))


@given(POOLS, RULES, RULES)
def test_m5_below_a_parent_nothing_is_gained(tools, above, below):
    parent = selected(tools, above)
    child = selected(tools, below, parent=parent)

    assert names(child.callable) <= names(parent.callable)
    assert names(child.loadable) <= names(parent.loadable) | parent.active
    assert declared(child) <= parent.active | names(parent.callable) | names(parent.loadable)


@given(POOLS, RULES)
def test_m5_rules_said_twice_change_nothing_more(tools, rules):
    assert selected(tools, rules) == selected(tools, [*rules, *rules])
