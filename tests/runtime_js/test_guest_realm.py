"""The realm: what is in it, what cannot be changed, and what one program leaves to the next."""

from __future__ import annotations

import pytest
from driver import Worker

API = [
    "ALL_TOOLS",
    "console",
    "describeNamespace",
    "describeTool",
    "exit",
    "image",
    "load",
    "models",
    "searchTools",
    "store",
    "text",
    "tools",
]

LANGUAGE = """
AggregateError Array ArrayBuffer AsyncDisposableStack BigInt BigInt64Array BigUint64Array Boolean
DataView Date DisposableStack Error EvalError Float16Array Float32Array Float64Array Function
Infinity Int16Array Int32Array Int8Array Intl Iterator JSON Map Math NaN Number Object Promise Proxy
RangeError ReferenceError Reflect RegExp Set String SuppressedError Symbol SyntaxError Temporal
TypeError URIError Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakSet decodeURI
decodeURIComponent encodeURI encodeURIComponent escape eval globalThis isFinite isNaN parseFloat
parseInt undefined unescape
""".split()


def value_of(worker: Worker, source: str) -> object:
    ended = worker.run(source)
    worker.expect("READY")
    assert ended.how == "completed", ended.error
    return ended.value


def test_the_globals_are_exactly_the_language_and_the_api(shared: Worker) -> None:
    names = value_of(shared, "return Reflect.ownKeys(globalThis).map(String)")

    assert isinstance(names, list)
    assert sorted(names) == sorted([*LANGUAGE, *API])


def test_every_object_a_program_can_walk_to_is_of_its_own_realm(shared: Worker) -> None:
    source = """
        const seen = new Set(), foreign = [], queue = [globalThis, (async () => {}).constructor];
        const isOwn = (f) => { for (let o = f; o; o = Object.getPrototypeOf(o))
            if (o === Function.prototype) return true; return false };
        while (queue.length) {
            const object = queue.pop();
            if (seen.has(object)) continue;
            seen.add(object);
            if (typeof object === "function" && !isOwn(object)) foreign.push(String(object));
            const next = [Object.getPrototypeOf(object)];
            for (const key of Reflect.ownKeys(object)) {
                const own = Object.getOwnPropertyDescriptor(object, key);
                next.push(own.value, own.get, own.set);
            }
            for (const o of next) if (o !== null && /object|function/.test(typeof o)) queue.push(o);
        }
        return [foreign, seen.size > 500, [...seen].some((o) => o !== null && "Deno" in o)];
    """

    assert value_of(shared, source) == [[], True, False]


@pytest.mark.parametrize(
    "source",
    [
        "eval('1')",
        "(0, eval)('1')",
        "Function('return 1')()",
        "(async () => {}).constructor('return 1')()",
        "(function* () {}).constructor('yield 1')()",
        "(async function* () {}).constructor('yield 1')()",
    ],
)
def test_text_never_becomes_code(shared: Worker, source: str) -> None:
    assert value_of(shared, f"try {{ {source}; return 'ran' }} catch (e) {{ return e.name }}") == (
        "EvalError"
    )


def test_modules_cannot_be_loaded(shared: Worker) -> None:
    source = """
        try { await import("node:fs"); return "loaded" }
        catch (e) { return [e instanceof TypeError, e.stack.includes("file:")] }
    """

    assert value_of(shared, source) == [True, False]


@pytest.mark.parametrize(
    "attack",
    [
        "Error.prepareStackTrace = spy",
        "globalThis.Error = { prepareStackTrace: spy }",
        "Object.defineProperty(globalThis, 'Error', { value: { prepareStackTrace: spy } })",
        "Object.defineProperty(Error, 'prepareStackTrace', { value: spy })",
        "TypeError.prepareStackTrace = spy",
        "delete globalThis.Error; globalThis.Error = { prepareStackTrace: spy }",
        "Object.setPrototypeOf(Error, { prepareStackTrace: spy })",
        "Object.prototype.prepareStackTrace = spy",
    ],
)
def test_no_program_sees_a_call_site(shared: Worker, attack: str) -> None:
    source = f"""
        const seen = [];
        const spy = (error, sites) => {{ seen.push(typeof sites); return sites }};
        try {{ {attack} }} catch {{}}
        const holder = {{}};
        let stack;
        try {{ null.x }} catch (error) {{ stack = error.stack }}
        ReferenceError.captureStackTrace?.(holder);
        return [seen, typeof stack, typeof (holder.stack ?? ""), stack.includes("program.js:")];
    """

    assert value_of(shared, source) == [[], "string", "string", True]


def test_stacks_show_frames_of_the_program_only(shared: Worker) -> None:
    source = """
        const stacks = [new Error("a").stack, [1].map(() => new Error("b").stack)[0]];
        try { text(Object.defineProperty({}, "x", { get() { throw 1 }, enumerable: true })) }
        catch (error) { stacks.push(error.stack) }
        try { await tools.fail() } catch (error) { stacks.push(error.stack) }
        try { image("x") } catch (error) { stacks.push(error.stack) }
        return stacks.join("\\n").split("\\n").filter((line) => /^ +at /.test(line))
            .filter((line) => !/^ +at (\\S+ )*\\(?program\\.js:\\d+:\\d+\\)?$/.test(line));
    """
    ended = shared.run(source, {"fail": lambda _: 1})
    shared.expect("READY")

    assert ended.value == []


def test_errors_near_the_stack_limit_are_of_the_programs_realm(own_worker: Worker) -> None:
    source = """
        const thrown = [];
        const acts = [
            () => text("x"), () => text({ a: [1] }), () => text("\\u00e9".repeat(200)),
            () => console.log("%s", { a: 1 }, new Error("e")), () => store("k", { a: 1 }),
            () => load("k"), () => { tools.echo({ a: [1] }) }, () => new Error("x").stack,
            () => image("data:,"),
            () => { searchTools("x") }, () => Temporal.Now.instant(), () => text("x".repeat(70000)),
        ];
        for (const act of acts) for (const pad of [0, 1, 2, 3, 5, 8, 13, 21]) {
            let left = 10;
            const dive = (...rest) => {
                const more = Array(rest.length < pad ? 1 : 0);
                try { dive(...rest, ...more) } catch (e) { thrown.push(e) }
                if (left > 0) try { left--; act() } catch (e) { thrown.push(e) }
            };
            try { dive() } catch (e) { thrown.push(e) }
        }
        const kinds = new Set(thrown.map((e) =>
            e instanceof Error && e.constructor.constructor === Function ? e.name : "FOREIGN"));
        return [...kinds].sort();
    """
    ended = own_worker.run(
        source, {"echo": lambda value: value}, answer=lambda *_: [], output_chars=10**9
    )

    assert set(ended.value) <= {"RangeError", "TypeError"}
    assert ended.end[4] == len(ended.of("TEXT") + ended.of("CONSOLE") + ended.of("IMAGE"))
    assert ended.end[5] == len(ended.of("CALL"))
    own_worker.expect("READY")
    assert own_worker.run("return 1").value == 1


PATCH_EVERYTHING = """
    const { defineProperty, ownKeys } = Reflect;
    const spy = function () { throw new SyntaxError("patched") };
    const { setPrototypeOf } = Object;
    const patch = (holder, key, attributes) => {
        // What `await` itself looks at, what switches stacks off, and what is printed.
        for (let i = 0; i < spared.length; i++) if (spared[i] === key) return;
        const descriptor = setPrototypeOf({ ...attributes, configurable: true }, null);
        try { defineProperty(holder, key, descriptor) } catch {}
    };
    const prototypes = [Array, ArrayBuffer, BigInt, Boolean, DataView, Date, Error, Function, Map,
        Number, Promise, RangeError, RegExp, Set, String, Symbol, TypeError, Uint8Array, WeakMap,
        Object.getPrototypeOf(Uint8Array)].map((holder) => holder.prototype);
    const holders = [JSON, Reflect, Math, Object, Array, ArrayBuffer, Date, Number, Promise, String,
        Symbol, Uint8Array, Error];
    const inherited = ["value", "get", "set", "enumerable", "writable", "configurable", "cause",
        "0", "length", "limit", "message", "key"];
    const spared = ["constructor", "then", "stackTraceLimit", "name"];
    const members = prototypes.concat(holders).map((holder) => [holder, ownKeys(holder)]);
    const traps = prototypes.concat(Object.prototype).map((holder) => [holder, inherited]);
    for (let i = 0; i < members.length; i++) for (let j = 0; j < members[i][1].length; j++)
        patch(members[i][0], members[i][1][j], { value: spy });
    for (let i = 0; i < traps.length; i++) for (let j = 0; j < inherited.length; j++)
        patch(traps[i][0], inherited[j], { get: spy, set: spy });
"""


def test_the_runtime_works_in_a_realm_where_every_built_in_is_patched(own_worker: Worker) -> None:
    source = f"""
        {PATCH_EVERYTHING}
        text("a"); text({{ a: [1, "b", null] }}); console.log("c %d", 1, {{ d: [1] }});
        store("key", {{ e: [1] }});
        const loaded = load("key");
        const result = await tools.echo({{ f: [1, {{ g: "h" }}] }});
        return {{ result, loaded }};
    """

    ended = own_worker.run(source, {"echo": lambda value: {"echoed": value, "list": [[1], {}]}})

    assert ended.how == "completed", ended.error
    assert ended.texts == ["a", '{"a":[1,"b",null]}']
    assert ended.console == ["c 1 { d: [ 1 ] }"]
    assert ended.value == {
        "result": {"echoed": {"f": [1, {"g": "h"}]}, "list": [[1], {}]},
        "loaded": {"e": [1]},
    }
    assert ended.of("STORE")[0].fields == [{"key": '{"e":[1]}'}, []]
    own_worker.expect("READY")


def test_nothing_one_program_did_is_seen_by_the_next(shared: Worker) -> None:
    first = """
        globalThis.left = 1; Array.prototype.left = 1; Object.prototype.left = 1;
        text.left = 1; console.log = 1; Symbol.for("left").description;
        for (let i = 0; i < 5; i++) tools.echo();
        return "done"
    """
    second = """
        return [typeof left, [].left, {}.left, text.left, typeof console.log,
            Object.keys(globalThis)]
    """
    shared.run(first, {"echo": lambda _: None})
    shared.expect("READY")

    assert value_of(shared, second) == ["undefined", None, None, None, "function", []]


def test_clocks_show_whole_milliseconds_in_utc(shared: Worker) -> None:
    source = """
        const instants = Array.from({ length: 50 }, () => Temporal.Now.instant().epochNanoseconds);
        return [
            instants.every((ns) => ns % 1000000n === 0n),
            Temporal.Now.plainTimeISO().microsecond, Temporal.Now.zonedDateTimeISO().timeZoneId,
            Math.abs(Temporal.Now.instant().epochMilliseconds - Date.now()) < 1000,
            new Date(0).toString(), Date.now() % 1, Temporal.Now.timeZoneId(),
            new Intl.DateTimeFormat().resolvedOptions().locale,
        ]
    """

    assert value_of(shared, source) == [
        True,
        0,
        "UTC",
        True,
        "Thu Jan 01 1970 00:00:00 GMT+0000 (Coordinated Universal Time)",
        0,
        "UTC",
        "en-US",
    ]


def test_temporal_has_all_its_classes(shared: Worker) -> None:
    names = value_of(shared, "return Object.getOwnPropertyNames(Temporal).sort()")

    assert names == [
        "Duration",
        "Instant",
        "Now",
        "PlainDate",
        "PlainDateTime",
        "PlainMonthDay",
        "PlainTime",
        "PlainYearMonth",
        "ZonedDateTime",
    ]
