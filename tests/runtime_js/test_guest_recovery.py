"""S-5: what models write where the body of a function belongs, and what must stay as it is."""

from __future__ import annotations

import pytest
from driver import Worker

CALLED = "The function around the program was called."
EXPORT = "`export default` was ignored."
TYPES = "TypeScript syntax was removed."
VALUE = "The value of the program's only expression was returned."

FUNCTIONS = [
    "async () => { return 7 }",
    "async () => 7",
    "() => 7",
    "x => 7",
    "async x => 7",
    "async ({ a = 1 } = {}, ...rest) => { return 7 }",
    "(async () => { return 7 })",
    "(((async () => 7)))",
    "async function main() { return 7 }",
    "async function () { return 7 }",
    "function () { return 7 }",
    "(function named() { return 7 })",
]
EXPRESSIONS = [
    ("3 + 4", 7),
    ("'a;//b'", "a;//b"),
    ("`a; // ${1}`", "a; // 1"),
    ("[1, 2]", [1, 2]),
    ("{ a: 1, b: 2 }", {"a": 1, "b": 2}),
    ("{ a: 1 }", {"a": 1}),
    ("({ a: 1 })", {"a": 1}),
    ("(1, 2)", 2),
    ("true ? 1 : () => 2", 1),
    ("await Promise.resolve(7)", 7),
    ("Promise.resolve(7)", 7),
    ("(async () => { return 7 })()", 7),
    ("function () { return 7 }()", 7),
    ("(() => 7)()", 7),
    ("a = 7", 7),
    ("null", None),
    ("async => 1, 2", 2),
    ("x => 1, 2", 2),
    ("(null) ?? 7", 7),
    ("({ a: 7 })?.a ?? 8", 7),
    ("(async () => 7)() ?? 8", 7),
    ("(globalThis).n = 7", 7),
    ("(globalThis).n ??= 7", 7),
    ("(function () {}).n ||= 7", 7),
]
# Source, value or nothing.
BODIES: list[tuple[str, list[object]]] = [
    ("return 7", [7]),
    ("{ text('block') }", []),
    ("text(1); text(2)", []),
    ("function f() { text('ran') }\nf()", []),
    ("function f() { return 1 }\n(2)", []),
    ("async function main() {}\nawait main()", []),
    ("class A {}", []),
    ("const f = async () => { text('ran') }", []),
    ("let a = f\nfunction f() {}", []),
    ("for (;;) break;", []),
    ("if (false);", []),
    ("// nothing", []),
    ("async function* g() { text('ran') }", []),
]
TRAILS = ["", ";", " ;; ", "\n// done", "; // done", ";/* done */\n"]


@pytest.mark.parametrize("source", FUNCTIONS)
@pytest.mark.parametrize("trail", TRAILS)
def test_a_lone_function_is_called(shared: Worker, source: str, trail: str) -> None:
    ended = shared.run(f"/* first */ {source}{trail}")
    shared.expect("READY")

    assert (ended.how, ended.has_value and ended.value) == ("completed", 7), ended.end
    assert ended.noted == [CALLED]


@pytest.mark.parametrize("source", [f for f in FUNCTIONS if not f.startswith("(")])
@pytest.mark.parametrize("space", [" ", "\n", " /* x */ // y\n"])
def test_a_function_behind_export_default_is_called(
    shared: Worker, source: str, space: str
) -> None:
    ended = shared.run(f"export default{space}{source};")
    shared.expect("READY")

    assert ended.value == 7
    assert ended.noted == [EXPORT, CALLED]


@pytest.mark.parametrize(("source", "value"), EXPRESSIONS)
@pytest.mark.parametrize("trail", TRAILS)
def test_the_value_of_a_lone_expression_is_returned(
    shared: Worker, source: str, value: object, trail: str
) -> None:
    ended = shared.run(f"{source}{trail}")
    shared.expect("READY")

    assert (ended.how, ended.value) == ("completed", value)
    assert ended.noted == [VALUE]


@pytest.mark.parametrize("source", ["undefined", "void 1", "text('x')", "console.log(1)", "exit()"])
def test_an_expression_without_a_value_is_not_noted(shared: Worker, source: str) -> None:
    ended = shared.run(source)
    shared.expect("READY")

    assert (ended.has_value, ended.noted) == (False, [])


@pytest.mark.parametrize(("source", "values"), BODIES)
def test_a_program_of_statements_stays_as_it_is(
    shared: Worker, source: str, values: list[object]
) -> None:
    ended = shared.run(source)
    shared.expect("READY")

    assert (ended.how, ended.end[1], ended.noted) == ("completed", values, [])


@pytest.mark.parametrize(
    "source", ["export default 42", "export default { a: 1 }", "export default (a).b = 1"]
)
def test_export_default_before_anything_else_is_a_syntax_error(shared: Worker, source: str) -> None:
    ended = shared.run(source)
    shared.expect("READY")

    assert (ended.how, ended.error["message"]) == ("refused", "Unexpected token 'export'")
    assert (ended.error["line"], ended.error["column"]) == (1, 1)


@pytest.mark.parametrize(
    ("source", "position"),
    [
        ("async () => {\n  const x = ;\n}", (2, 13)),
        ("export default async () => {\n  const x = ;\n}", (2, 13)),
        ("export default async function main(a: string) {\n  const x = ;\n}", (1, 37)),
    ],
)
def test_a_mistake_inside_a_wrapper_has_its_own_position(
    shared: Worker, source: str, position: tuple[int, int]
) -> None:
    ended = shared.run(source)
    shared.expect("READY")

    assert ended.how == "refused"
    assert (ended.error["line"], ended.error["column"]) == position


@pytest.mark.parametrize("source", ["1); text('ran'", "1]; text(['ran'", "1}); text('ran'); ({"])
def test_brackets_of_the_wrapper_cannot_be_closed(shared: Worker, source: str) -> None:
    ended = shared.run(source)
    shared.expect("READY")

    assert (ended.how, ended.kinds) == ("refused", ["END"])


TYPED = [
    ("const x: number = 7; return x", 7, []),
    ("interface A { a: string }\ntype B = A | null\nreturn 7 as any as number", 7, []),
    ("const f = <T,>(x: T): T => x; return f<number>(7)", 7, []),
    ("async (x?: string): Promise<number> => { return 7 }", 7, [CALLED]),
    ("async function (x?: string): Promise<number> { return 7 }", 7, [CALLED]),
    ("export default async (x?: string): Promise<number> => 7", 7, [EXPORT, CALLED]),
    ("{ a: 7 as number }", {"a": 7}, [VALUE]),
    ("[7] satisfies number[];", [7], [VALUE]),
    ("import type { A } from 'a'; return 7", 7, []),
    ("declare enum A { B }\nreturn 7", 7, []),
    ("return new Set<string>(['a', 'b'])", ["a", "b"], []),
    ("return [3, 4].reduce<number>((a, b) => a + b, 0)", 7, []),
    ("return [7].map<{ n: number }>((n) => ({ n }))", [{"n": 7}], []),
    ("Promise.resolve<Record<string, number>[] | null>(null)", None, [VALUE]),
    ("class A { private x: number = 7; readonly y!: string }\nreturn new A().x!", 7, []),
]


@pytest.mark.parametrize(("source", "value", "notes"), TYPED)
def test_types_are_removed_and_noted(
    shared: Worker, source: str, value: object, notes: list[str]
) -> None:
    ended = shared.run(source)
    shared.expect("READY")

    assert (ended.how, ended.has_value and ended.value) == ("completed", value), ended.end
    assert ended.noted == [TYPES, *notes]


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("const f = 1, a = 2, b = 3; return f<a>(b)", False),
        ("return 3 < 2 > (1)", False),
        ("// new Set<string>(names)\nreturn [1 < 2, 3 > (2)]", [True, True]),
        ("return 'f<T>(x)'", "f<T>(x)"),
        ("const A = 1, B = 2, C = 3, D = 4; return Math.max(A<B,C>(D))", 1),
    ],
)
def test_valid_javascript_is_never_taken_for_typescript(
    shared: Worker, source: str, value: object
) -> None:
    ended = shared.run(source)
    shared.expect("READY")

    assert (ended.value, ended.noted) == (value, [])


def test_positions_are_those_of_the_typed_source(shared: Worker) -> None:
    ended = shared.run("interface A {\r\n  a: 'é😀'\r\n}\r\nconst x: A = null; x.a")
    shared.expect("READY")

    assert (ended.how, ended.error["line"], ended.error["column"]) == ("threw", 4, 22)


def test_a_mistake_in_typescript_without_types_before_it_has_its_position(shared: Worker) -> None:
    ended = shared.run("const x: number = 1;\nlet y = x as number;\nconst x = 2;")
    shared.expect("READY")

    assert ended.error["message"] == "Identifier 'x' has already been declared"
    assert (ended.error["line"], ended.error["column"]) == (3, 7)


@pytest.mark.parametrize(
    ("source", "advice", "position"),
    [
        ("let a = 1;\nenum A { B }", "use an object", (2, 1)),
        ("namespace A { export const b = 1 }", "use an object", (1, 1)),
        ("return <any>x", "write `x as T`", (1, 8)),
        ("class A { constructor(private x: number) {} }", "assign in the body", (1, 31)),
        ("import x = require('a')", "cannot load modules", (1, 1)),
        ("export = 3", "returns its result", (1, 1)),
    ],
)
def test_typescript_that_is_more_than_types_is_refused_with_advice(
    shared: Worker, source: str, advice: str, position: tuple[int, int]
) -> None:
    ended = shared.run(source)
    shared.expect("READY")

    assert (ended.how, ended.error["name"]) == ("refused", "SyntaxError")
    assert advice in ended.error["message"]
    assert (ended.error["line"], ended.error["column"]) == position


@pytest.mark.parametrize(
    "source",
    [
        "const x: a = " + "(" * 10_000 + "1" + ")" * 10_000,
        "const x: a = " + "(1 > " * 10_000 + "1" + ")" * 10_000,
        "type A = " + "A<" * 10_000 + "B" + ">" * 10_000,
    ],
    ids=["round", "round-with-comparisons", "angle"],
)
def test_brackets_that_nest_too_deeply_do_not_reach_the_type_stripper(
    shared: Worker, source: str
) -> None:
    ended = shared.run(source)
    shared.expect("READY")

    assert (ended.how, ended.error["name"]) == ("refused", "SyntaxError")
