"""Who may see and call a tool, on every path a program has: spec T-2, T-3, T-4, M-4, M-7."""

from __future__ import annotations

import pytest

from pool import Exposure, Namespace, Tool, View

# Everything by which a program could learn of a tool whose identifier is `secret_plan`.
PATHS = {
    "call": "tools.secret_plan({}).then(() => 'reached', () => null)",
    "call by canonical name": "tools['secret-plan']?.({}).then(() => 'reached', () => null)",
    "list": "ALL_TOOLS.some(({name}) => name.includes('secret'))",
    "keys": "Reflect.ownKeys(tools).some((key) => String(key).includes('secret'))",
    "search": "(await searchTools('secret plan')).length",
    "search by exact name": "(await searchTools('secret-plan')).length",
    "describe": "(await describeTool('secret_plan')) ?? null",
    "describe by canonical name": "(await describeTool('secret-plan')) ?? null",
    "namespace": "(await describeNamespace('vault'))?.tools.length ?? null",
    "printed": "String(tools).includes('secret')",
}
NOTHING = {None, False}


def tool(name, exposure=Exposure.DIRECT, **more):
    return Tool(name=name, handler=lambda argument: "done", inline=True, exposure=exposure, **more)


def secret(exposure):
    return tool("secret-plan", exposure, namespace="vault", description="The secret plan")


def looked(path):
    return f"try {{ return (await ({PATHS[path]})) ?? null }} catch (e) {{ return null }}"


@pytest.mark.parametrize("exposure", [Exposure.HIDDEN, Exposure.MODEL_ONLY])
@pytest.mark.parametrize("path", PATHS)
def test_m4_a_tool_that_programs_may_not_call_is_on_no_path(evaluate, path, exposure):
    assert evaluate(looked(path), tools=[secret(exposure), tool("other")]) in NOTHING


@pytest.mark.parametrize("exposure", [Exposure.DIRECT, Exposure.CODEMODE, Exposure.DEFERRED])
@pytest.mark.parametrize("path", PATHS)
def test_m4_a_tool_that_programs_may_call_is_on_every_path(evaluate, path, exposure):
    assert evaluate(looked(path), tools=[secret(exposure), tool("other")]) not in NOTHING


@pytest.mark.parametrize("exposure", [Exposure.HIDDEN, Exposure.MODEL_ONLY])
def test_m4_nobody_is_pointed_to_it_by_an_error_or_by_a_return_of_tools(run, evaluate, exposure):
    offered = [secret(exposure), tool("other")]
    outcome = run("await tools.secret_plam({})", tools=offered)

    assert "secret_plan" not in outcome.error.message
    assert list(evaluate("return tools", tools=offered)) == ["other"]
    assert (
        "secret_plan"
        in run("await tools.secret_plam()", tools=[secret(Exposure.DIRECT)]).error.message
    )


def test_m4_a_hidden_twin_shows_in_no_suffix(evaluate):
    names = "return ALL_TOOLS.map(({name}) => name)"

    assert evaluate(names, tools=[tool("a-b"), tool("a.b", Exposure.HIDDEN)]) == ["a_b"]
    assert evaluate(names, tools=[tool("a-b"), tool("a.b")]) != ["a_b", "a_b"]


def test_m7_a_program_cannot_start_another_one(evaluate):
    own = [tool("codemode", Exposure.MODEL_ONLY), tool("tool_search", Exposure.MODEL_ONLY)]

    assert evaluate("return [typeof tools.codemode, typeof tools.tool_search]", tools=own) == [
        "undefined",
        "undefined",
    ]


class Session:
    """What may be called, until the tool `hide` takes the secret away."""

    def __init__(self):
        self.callable = frozenset({"secret-plan", "hide"})

    def hide(self, argument):
        self.callable = frozenset({"hide"})

    def tools(self):
        return [
            secret(Exposure.CODEMODE),
            Tool(name="hide", handler=self.hide, inline=True),
        ]

    def view(self):
        return View(callable_now=lambda: self.callable)


# What a program read before stays with it; everything it asks for is of this moment.
ASKED = sorted(PATHS.keys() - {"list", "keys", "printed"})


@pytest.mark.parametrize("path", ASKED)
def test_t3_a_tool_that_goes_during_a_run_is_gone_at_once(evaluate, path):
    session = Session()
    source = f"await tools.hide(); {looked(path)}"

    assert evaluate(source, tools=session.tools(), view=session.view()) in NOTHING


@pytest.mark.parametrize("path", ASKED)
def test_t3_until_it_goes_it_is_there(evaluate, path):
    session = Session()

    assert evaluate(looked(path), tools=session.tools(), view=session.view()) not in NOTHING


def test_t3_the_next_run_does_not_list_it_any_more(evaluate):
    session = Session()
    names = "return ALL_TOOLS.map(({name}) => name)"

    before = evaluate(names, tools=session.tools(), view=session.view())
    session.hide({})

    assert before == ["secret_plan", "hide"]
    assert evaluate(names, tools=session.tools(), view=session.view()) == ["hide"]


def test_t3_an_error_suggests_no_tool_that_went_during_the_run(run):
    session = Session()
    near = "await tools.secret_plam({})"

    stays = run(near, tools=session.tools(), view=session.view())
    goes = run(f"await tools.hide(); {near}", tools=session.tools(), view=session.view())

    assert "Did you mean tools.secret_plan?" in stays.error.message
    assert "secret_plan" not in goes.error.message
    assert "tools.secret_plam is not a function" in goes.error.message


def test_t3_the_functions_own_readable_form_tells_nothing_new_when_it_is_gone(evaluate):
    session = Session()
    source = "await tools.hide(); return Object.keys(await tools)"

    assert evaluate(source, tools=session.tools(), view=session.view()) == ["secret_plan", "hide"]


def test_t2_an_identifier_that_was_shown_stays_and_a_later_claimant_gets_the_suffix(evaluate):
    names = "return ALL_TOOLS.map(({name}) => name)"
    view = View(shown={"a-b": "a_b"})

    first, later = evaluate(names, tools=[tool("a-b"), tool("a_b")], view=view)

    assert first == "a_b"
    assert later.startswith("a_b_")


def test_t2_the_identifier_of_a_tool_that_is_gone_reaches_no_other(evaluate):
    offered = [tool("a_b")]
    source = "return [typeof tools.a_b, ALL_TOOLS[0].name.startsWith('a_b_')]"

    assert evaluate(source, tools=offered, view=View(shown={"a-b": "a_b"})) == ["undefined", True]
    assert evaluate(source, tools=offered) == ["function", False]


def test_t4_a_namespace_tells_what_it_is_for_and_how_its_tools_are_used(evaluate):
    group = Namespace("vault", description="Plans", instructions="Ask first.")

    assert evaluate(
        "return [await describeNamespace('vault'), await describeNamespace('none') === undefined]",
        tools=[secret(Exposure.CODEMODE)],
        namespaces=[group],
    ) == [
        {
            "name": "vault",
            "description": "Plans",
            "instructions": "Ask first.",
            "tools": ["secret_plan"],
        },
        True,
    ]


def test_t4_a_namespace_that_is_known_and_empty_is_there(evaluate):
    group = Namespace("vault", is_dynamic=True)

    assert evaluate("return describeNamespace('vault')", namespaces=[group]) == {
        "name": "vault",
        "tools": [],
    }


def test_t4_the_description_of_a_namespace_finds_its_tools(evaluate):
    group = Namespace("vault", description="Payroll")
    source = "return (await searchTools('payroll')).map(({name}) => name)"

    assert evaluate(source, tools=[secret(Exposure.CODEMODE)], namespaces=[group]) == [
        "secret_plan"
    ]
