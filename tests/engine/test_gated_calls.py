"""Permission and hooks as a program meets them: spec T-1, T-2, T-5."""

from __future__ import annotations

from pool import Gate, Replaced, Tool, ToolError

READ = Tool(name="read-file", handler=lambda argument: argument["path"], inline=True)
OTHER = Tool(name="read.file", handler=lambda argument: "other", inline=True)


def test_t1_a_refused_call_rejects_with_the_text_and_the_run_goes_on(run):
    outcome = run(
        "try { await tools.read_file({path: '/etc'}) } catch (e) { return e.message }",
        tools=[READ],
        gate=Gate(permit=lambda tool, argument: f"{argument['path']} is out of bounds"),
    )

    assert outcome.value == "/etc is out of bounds"
    assert outcome.calls[0].status == "error"


def test_t2_permission_is_bound_to_the_canonical_name(evaluate):
    async def permit(tool, argument):
        return tool.name == "read-file"

    value = evaluate(
        "const all = ALL_TOOLS.map((t) => tools[t.name]({path: 'a'}));"
        "return (await Promise.allSettled(all)).map((r) => r.value ?? r.reason.message)",
        tools=[READ, OTHER],
        gate=Gate(permit=permit),
    )

    assert value == ["a", "tool read.file is not permitted"]


def test_t1_hooks_rewrite_replace_and_refuse(evaluate):
    def before(tool, argument):
        match argument["path"]:
            case "cached":
                return Replaced("from the cache")
            case "secret":
                raise ToolError("no secrets")
        return {"path": argument["path"].upper()}

    value = evaluate(
        "const paths = ['a', 'cached', 'secret'];"
        "const all = paths.map((path) => tools.read_file({path}));"
        "return (await Promise.allSettled(all)).map((r) => r.value ?? r.reason.message)",
        tools=[READ],
        gate=Gate(before=before, after=lambda tool, argument, result: f"<{result}>"),
    )

    assert value == ["<A>", "<from the cache>", "no secrets"]
