"""The value table of section 4, row by row: spec V-1 … V-3 and the columns of the table itself.

A row is an expression and what it becomes: as data (argument, return, store), as `text()` and in
the console. Where the columns of data differ, the difference has a table of its own. Every row is
tried nested, as an argument and in the store, and alone, as a return.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import pytest

from pool import ABSENT, Tool


@dataclass(frozen=True)
class Refused:
    """The error that says why; `place` is where in the expression."""

    why: str
    place: str = ""


BYTES = Refused("bytes cannot be stored")
BIGINT = Refused("a BigInt cannot be stored")
FUNCTION = "a function cannot leave the program"
PROMISE = "a Promise is not a value; did you forget await?"
CYCLE = "the value contains itself"
HINT = "Promise { did you forget await? }"

SHRUNK = "(make) => { const b = new ArrayBuffer(4, { maxByteLength: 8 }); const view = make(b);"
DETACHED = "(make) => { const b = new ArrayBuffer(4); const view = make(b); b.transfer();"

ROWS: dict[str, tuple[Any, str, str]] = {
    # expression: data, text, console
    "undefined": (None, "undefined", "undefined"),
    "[undefined, , 1]": ([None, None, 1], "[undefined,undefined,1]", "[ undefined, undefined, 1 ]"),
    "({ a: undefined, b: 1 })": ({"b": 1}, '{"a":undefined,"b":1}', "{ a: undefined, b: 1 }"),
    "Object.assign([1], { 3: 2 })": (
        [1, None, None, 2],
        "[1,undefined,undefined,2]",
        "[ 1, undefined, undefined, 2 ]",
    ),
    "NaN": (Refused("NaN cannot be sent"), "NaN", "NaN"),
    "[1, { a: -Infinity }]": (
        Refused("-Infinity cannot be sent", "[1].a"),
        '[1,{"a":-Infinity}]',
        "[ 1, { a: -Infinity } ]",
    ),
    "-0": (0, "0", "-0"),
    "[-0]": ([0], "[0]", "[ -0 ]"),
    "10n": (10, "10n", "10n"),
    "[2n ** 53n - 1n, -(2n ** 53n)]": (
        [2**53 - 1, str(-(2**53))],
        "[9007199254740991n,-9007199254740992n]",
        "[ 9007199254740991n, -9007199254740992n ]",
    ),
    "new Date(0)": (
        "1970-01-01T00:00:00.000Z",
        '"1970-01-01T00:00:00.000Z"',
        "1970-01-01T00:00:00.000Z",
    ),
    "new Date(NaN)": (None, "null", "null"),
    "new (class D extends Date {})(0)": (
        "1970-01-01T00:00:00.000Z",
        '"1970-01-01T00:00:00.000Z"',
        "1970-01-01T00:00:00.000Z",
    ),
    "new Map([['__proto__', 1], ['', [2]]])": (
        {"__proto__": 1, "": [2]},
        "Map(2) { '__proto__' => 1, '' => [ 2 ] }",
        "Map(2) { '__proto__' => 1, '' => [ 2 ] }",
    ),
    "new Map([['a', 1], [2, { b: new Map() }]])": (
        [["a", 1], [2, {"b": {}}]],
        "Map(2) { 'a' => 1, 2 => { b: Map(0) {} } }",
        "Map(2) { 'a' => 1, 2 => { b: Map(0) {} } }",
    ),
    "new (class M extends Map {})([['a', 1]])": (
        {"a": 1},
        "M(1) { 'a' => 1 }",
        "M(1) { 'a' => 1 }",
    ),
    "new Set([1, new Set(['x'])])": (
        [1, ["x"]],
        "Set(2) { 1, Set(1) { 'x' } }",
        "Set(2) { 1, Set(1) { 'x' } }",
    ),
    "new (class A extends Array {})(1, 2)": ([1, 2], "[1,2]", "A(2) [ 1, 2 ]"),
    "new Float16Array([1.5])": (b"\0\x3e", "Float16Array(1) [ 1.5 ]", "Float16Array(1) [ 1.5 ]"),
    "new BigInt64Array([-1n])": (
        b"\xff" * 8,
        "BigInt64Array(1) [ -1n ]",
        "BigInt64Array(1) [ -1n ]",
    ),
    "new Uint16Array(Uint16Array.of(1, 2, 3).buffer, 2, 1)": (
        b"\2\0",
        "Uint16Array(1) [ 2 ]",
        "Uint16Array(1) [ 2 ]",
    ),
    "Uint8Array.of(1, 2).buffer": (b"\1\2", "ArrayBuffer(2) [ 1, 2 ]", "ArrayBuffer(2) [ 1, 2 ]"),
    "new DataView(Uint8Array.of(1, 2, 3).buffer, 1, 1)": (
        b"\2",
        "DataView(1) [ 2 ]",
        "DataView(1) [ 2 ]",
    ),
    f"({SHRUNK} b.resize(6); return view }})((b) => new Uint8Array(b))": (
        b"\0" * 6,
        "Uint8Array(6) [ 0, 0, 0, 0, 0, 0 ]",
        "Uint8Array(6) [ 0, 0, 0, 0, 0, 0 ]",
    ),
    f"({SHRUNK} b.resize(1); return view }})((b) => new DataView(b, 2))": (
        b"",
        "DataView(0) []",
        "DataView(0) []",
    ),
    f"({DETACHED} return view }})((b) => b)": (b"", "ArrayBuffer(0) []", "ArrayBuffer(0) []"),
    f"({DETACHED} return view }})((b) => new Uint8Array(b))": (
        b"",
        "Uint8Array(0) []",
        "Uint8Array(0) []",
    ),
    f"({DETACHED} return view }})((b) => new DataView(b))": (
        b"",
        "DataView(0) []",
        "DataView(0) []",
    ),
    "new (class P { a = 1; #b = 2; get c() { return 3 } })()": ({"a": 1}, '{"a":1}', "P { a: 1 }"),
    "Object.create({ inherited: 1 })": ({}, "{}", "{}"),
    "({ __proto__: null, a: 1 })": ({"a": 1}, '{"a":1}', "{ a: 1 }"),
    "(function () { return arguments })(1, 'b')": (
        {"0": 1, "1": "b"},
        '{"0":1,"1":"b"}',
        "{ 0: 1, 1: 'b' }",
    ),
    r"/a\/b/gi": (r"/a\/b/gi", r"/a\/b/gi", r"/a\/b/gi"),
    "({ toJSON() { return { x: 1 } } })": ({"x": 1}, '{"x":1}', "{ toJSON: [Function: toJSON] }"),
    "new (class J { toJSON(key) { return [typeof key] } })()": (["string"], '["string"]', "J {}"),
    "Object.assign(() => 1, { toJSON: () => 2 })": (
        2,
        "2",
        "[Function (anonymous)] { toJSON: [Function: toJSON] }",
    ),
    "Object.assign(new Map(), { toJSON: () => 2 })": (
        2,
        "2",
        "Map(0) { toJSON: [Function: toJSON] }",
    ),
    "({ toJSON: 5, then: 6, constructor: 7 })": (
        {"toJSON": 5, "then": 6, "constructor": 7},
        '{"toJSON":5,"then":6,"constructor":7}',
        "{ toJSON: 5, then: 6, constructor: 7 }",
    ),
    "({ toJSON() {} })": (None, "undefined", "{ toJSON: [Function: toJSON] }"),
    "() => 1": (Refused(FUNCTION), "[Function (anonymous)]", "[Function (anonymous)]"),
    "({ a: [class C {}] })": (
        Refused(FUNCTION, ".a[0]"),
        '{"a":[[class C]]}',
        "{ a: [ [class C] ] }",
    ),
    "Symbol('s')": (Refused("a symbol cannot"), "Symbol(s)", "Symbol(s)"),
    "({ [Symbol('k')]: 1, a: 2 })": ({"a": 2}, '{"a":2}', "{ a: 2, [Symbol(k)]: 1 }"),
    "new WeakMap()": (
        Refused("a weak collection cannot leave the program"),
        "WeakMap { ... }",
        "WeakMap { ... }",
    ),
    "new Map([['k', [new WeakSet()]]])": (
        Refused("a weak collection cannot leave the program", ".k[0]"),
        "Map(1) { 'k' => [ WeakSet { ... } ] }",
        "Map(1) { 'k' => [ WeakSet { ... } ] }",
    ),
    "({ a: Promise.resolve(1) })": (
        Refused(PROMISE, ".a"),
        f'{{"a":{HINT}}}',
        f"{{ a: {HINT} }}",
    ),
    "new Set([(async () => 1)()])": (
        Refused(PROMISE, "[0]"),
        f"Set(1) {{ {HINT} }}",
        f"Set(1) {{ {HINT} }}",
    ),
    "((a) => { a.list = [a]; return a })({})": (
        Refused(CYCLE, ".list[0]"),
        '{"list":[[Circular]]}',
        "{ list: [ [Circular] ] }",
    ),
    "((m) => m.set('m', m))(new Map())": (
        Refused(CYCLE, ".m"),
        "Map(1) { 'm' => [Circular] }",
        "Map(1) { 'm' => [Circular] }",
    ),
    "((a) => [a, a])({})": ([{}, {}], "[{},{}]", "[ {}, {} ]"),
    r"['a\ud800b', { '\udc00': 1 }]": (
        ["a\ufffdb", {"\ufffd": 1}],
        '["a\ufffdb",{"\ufffd":1}]',
        "[ 'a\ufffdb', { \ufffd: 1 } ]",
    ),
    "({ get a() { return 1 } })": ({"a": 1}, '{"a":1}', "{ a: [Getter] }"),
    "({ a: { get b() { throw new Error('no') } } })": (
        Refused("reading it failed with Error: no", ".a.b"),
        "TypeError: value.a.b: reading it failed with Error: no",
        "{ a: { b: [Getter] } }",
    ),
    "[new Proxy({}, { ownKeys() { throw 'no' } })]": (
        Refused("reading it failed with no", "[0]"),
        "TypeError: value[0]: reading it failed with no",
        "[ [Unreadable] ]",
    ),
    "({ toJSON() { throw null } })": (
        Refused("reading it failed with object"),
        "TypeError: value: reading it failed with object",
        "{ toJSON: [Function: toJSON] }",
    ),
    "[new Proxy({ a: 1 }, {}), new Proxy([1], {})]": (
        [{"a": 1}, [1]],
        '[{"a":1},[1]]',
        "[ { a: 1 }, [ 1 ] ]",
    ),
    "[Object('s'), Object(-0), Object(false), Object(7)]": (
        ["s", 0, False, 7],
        '["s",0,false,7]',
        "[ [String: 's'], [Number: -0], [Boolean: false], [Number: 7] ]",
    ),
    "Temporal.PlainDate.from('2026-01-02')": (
        "2026-01-02",
        '"2026-01-02"',
        "Temporal.PlainDate 2026-01-02",
    ),
    "new Intl.NumberFormat()": ({}, "{}", "NumberFormat {}"),
    "[[1].values(), (function* () {})()]": (
        [{}, {}],
        "[{},{}]",
        "[ Array Iterator {}, Generator {} ]",
    ),
    "globalThis": ({}, "{}", "{}"),
}

# What the columns of data have that the argument has not.
RETURNED: dict[str, Any] = {
    "undefined": ABSENT,
    "({ toJSON() {} })": ABSENT,
    "NaN": math.nan,
    "[1, { a: -Infinity }]": [1, {"a": -math.inf}],
}
STORED: dict[str, Any] = {
    "NaN": Refused("NaN cannot be stored"),
    "[1, { a: -Infinity }]": Refused("-Infinity cannot be stored", "[1].a"),
    "10n": BIGINT,
    "[2n ** 53n - 1n, -(2n ** 53n)]": Refused(BIGINT.why, "[0]"),
}

SOURCE = """
const make = () => (%s);
const tell = (act) => {
  try { act() } catch (error) { return `${error.name}: ${error.message}` }
};
const refused = await tools.take({ v: [make()] }).catch((e) => `${e.name}: ${e.message}`);
const notStored = tell(() => store("k", { v: [make()] }));
const failed = tell(() => text(make()));
if (failed !== undefined) text(failed);
console.log(make());
return [refused, notStored, load("k")];
"""


@pytest.mark.parametrize("expression", ROWS)
def test_v_a_value_is_what_the_table_says_in_every_direction(run, evaluate, expression):
    data, text, console = ROWS[expression]
    taken = []
    take = Tool(name="take", handler=taken.append)

    told = run(SOURCE % expression, tools=[take])
    returned = run(f"return {expression}")

    refused, not_stored, stored = told.value
    stored_data = BYTES if isinstance(data, bytes) else STORED.get(expression, data)
    assert outcome_of(refused, taken) == as_expected(data, "argument.v[0]")
    assert outcome_of(not_stored, [stored]) == as_expected(stored_data, "value.v[0]")
    assert [item.text for item in told.output] == [text]
    assert [line.text for line in told.console] == [console]
    expected = RETURNED.get(expression, data)
    if isinstance(expected, Refused):
        assert returned.error.message.startswith(f"return{expected.place}: {expected.why}")
    else:
        assert returned.is_completed, returned.error
        assert repr(returned.value) == repr(expected)  # NaN is equal to itself, 1 is not True


def outcome_of(refusal: str | None, taken: list[Any]) -> Any:
    return taken[0]["v"][0] if refusal is None else refusal


def as_expected(data: Any, root: str) -> Any:
    if not isinstance(data, Refused):
        return data
    return Beginning(f"TypeError: {root}{data.place}: {data.why}")


class Beginning(str):
    """A text that equals every text which begins with it."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, str) and other.startswith(str(self))

    __hash__ = str.__hash__
