"""Values of programs as data: how they are made, and what section 4's table says of them.

A recipe is JSON: `[kind, …]`. `BUILD` makes the value of one in a program. `as_data` and `as_text`
say what the table makes of it, with no regard to speed: one recursive function a column.
"""

from __future__ import annotations

import datetime
import json
import re
from typing import Any

from hypothesis import strategies as st

MAX_SAFE = 2**53 - 1
LONE_SURROGATE = re.compile("[\ud800-\udfff]")

BUILD = r"""
const NUMBERS = { NaN, Infinity, "-Infinity": -Infinity, "-0": -0 };
const VIEWS = { Uint8Array, Int16Array, Float32Array, BigUint64Array, DataView, ArrayBuffer };
class Instance { get inherited() { return 1 } }
class SubMap extends Map {}
class SubSet extends Set {}
class SubArray extends Array {}
class SubDate extends Date {}
class SubError extends Error {}
class Converted { constructor(value) { this.value = value } toJSON() { return this.value } }
const define = (target, key, value) => Object.defineProperty(target, key,
  { value, enumerable: true, configurable: true, writable: true });
const fill = (target, entries) => {
  for (const [key, item] of entries) define(target, key, build(item));
  return target;
};
const makers = {
  plain: (value) => value,
  undefined: () => undefined,
  number: (name) => NUMBERS[name],
  bigint: (digits) => BigInt(digits),
  date: (ms, isSub) => new (isSub ? SubDate : Date)(ms ?? NaN),
  map: (entries, isSub) => new (isSub ? SubMap : Map)(entries.map((e) => e.map(build))),
  set: (items, isSub) => new (isSub ? SubSet : Set)(items.map((item) => [build(item)])),
  bytes(name, hex, offset) {
    const { buffer } = Uint8Array.fromHex("00".repeat(offset) + hex);
    if (name === "ArrayBuffer") return buffer.slice(offset);
    const size = VIEWS[name].BYTES_PER_ELEMENT ?? 1;
    return new VIEWS[name](buffer, offset, hex.length / 2 / size);
  },
  error(name, message, more) {
    const error = new (name === "SubError" ? SubError : globalThis[name])(message);
    for (const [key, item] of more) define(error, key, build(item));
    return error;
  },
  array: (items, isSub) => Object.assign(isSub ? new SubArray() : [], items.map(build)),
  sparse: (length, at, item) => { const a = Array(length); a[at] = build(item); return a },
  object: (entries) => fill({}, entries),
  bare: (entries) => fill(Object.create(null), entries),
  instance: (entries) => fill(new Instance(), [...entries]),
  symbols: (entries) => fill({ [Symbol("s")]: () => 1 }, entries),
  getters(entries) {
    const target = {};
    for (const [key, item] of entries) {
      Object.defineProperty(target, key, { get: () => build(item), enumerable: true });
    }
    return target;
  },
  proxy: (item) => new Proxy(build(item), {}),
  boxed: (item) => Object(build(item)),
  converted: (item) => new Converted(build(item)),
  regexp: (source, flags) => new RegExp(source, flags),
  function: () => () => 1,
  symbol: () => Symbol("s"),
  promise: () => Promise.resolve(1),
  weak: () => new WeakMap(),
  cycle() { const c = {}; c.self = c; return c },
  thrower: () => ({ get x() { throw new Error("no") } }),
};
const build = ([kind, ...parts]) => makers[kind](...parts);
"""

Recipe = Any


class Refused(Exception):
    """The value cannot be sent: where, and why."""


ABSENT = object()


def as_data(recipe: Recipe, path: str, *, is_return: bool = False) -> Any:
    """The argument's column, or the return's.

    Raises:
        Refused: With the beginning of the message.
    """

    def items(recipes: list[Recipe]) -> list[Any]:
        found = [as_data(r, f"{path}[{i}]", is_return=is_return) for i, r in enumerate(recipes)]
        return [None if item is ABSENT else item for item in found]

    def fields(entries: list[tuple[str, Recipe]]) -> dict[str, Any]:
        found = {
            key: as_data(r, path + step(key), is_return=is_return)
            for key, r in in_order_of_js(entries).items()
        }
        return {well_formed(key): item for key, item in found.items() if item is not ABSENT}

    match recipe:
        case ["undefined"]:
            return ABSENT
        case ["plain", str(text)] | ["boxed", ["plain", str(text)]]:
            return well_formed(text)
        case ["plain", value] | ["boxed", ["plain", value]]:
            return value
        case ["number", "-0"]:
            return 0
        case ["number", name]:
            if not is_return:
                raise Refused(f"TypeError: {path}: {name} cannot be sent")
            return float(name)
        case ["bigint", digits]:
            return int(digits) if abs(int(digits)) <= MAX_SAFE else digits
        case ["date", ms, _]:
            return iso(ms)
        case ["map", entries, _]:
            if all(key[0] == "plain" and isinstance(key[1], str) for key, _ in entries):
                return fields([(key[1], item) for key, item in entries])
            # A Map has a key once; recipes have keys that are different.
            return items([["array", list(entry), False] for entry in entries])
        case ["set", members, _]:
            return items([["array", [member], False] for member in members])
        case ["bytes", _, digits, _]:
            return bytes.fromhex(digits)
        case ["error", name, message, more]:
            name = "Error" if name == "SubError" else name
            own = dict(more)
            return {"name": name, "message": well_formed(message)} | fields(
                [(key, own[key]) for key in ("cause", "errors") if key in own]
            )
        case ["array", recipes, _]:
            return items(recipes)
        case ["sparse", length, at, item]:
            return items([item if i == at else ["undefined"] for i in range(length)])
        case ["object" | "bare" | "instance" | "symbols" | "getters", entries]:
            return fields(entries)
        case ["proxy" | "converted", item]:
            return as_data(item, path, is_return=is_return)
        case ["regexp", source, flags]:
            return f"/{source}/{flags}"
        case ["cycle"]:
            raise Refused(f"TypeError: {path}.self: the value contains itself")
        case ["thrower"]:
            raise Refused(f"TypeError: {path}.x: reading it failed with Error: no")
    raise Refused(f"TypeError: {path}: {REASONS[recipe[0]]}")


REASONS = {
    "function": "a function cannot leave the program",
    "symbol": "a symbol cannot leave the program",
    "promise": "a Promise is not a value; did you forget await?",
    "weak": "a weak collection cannot leave the program",
}


def as_text(recipe: Recipe) -> str:
    """What `text()` shows of kinds that have JSON."""
    match recipe:
        case ["plain", str(text)] | ["boxed", ["plain", str(text)]]:
            return json.dumps(well_formed(text), ensure_ascii=False)
        case ["plain", value] | ["boxed", ["plain", value]]:
            return json.dumps(value).removesuffix(".0")
        case ["number", name]:
            return name.removeprefix("-") if name == "-0" else name
        case ["bigint", digits]:
            return f"{int(digits)}n"
        case ["date", ms, _]:
            return json.dumps(iso(ms))
        case ["array", recipes, _]:
            return f"[{','.join(map(as_text, recipes))}]"
        case ["sparse", length, at, item]:
            return f"[{','.join(as_text(item) if i == at else 'undefined' for i in range(length))}]"
        case ["object" | "bare" | "instance" | "symbols" | "getters", entries]:
            shown = [
                f"{as_text(['plain', key])}:{as_text(item)}"
                for key, item in in_order_of_js(entries).items()
            ]
            return f"{{{','.join(shown)}}}"
        case ["proxy" | "converted", item]:
            return as_text(item)
        case ["regexp", source, flags]:
            return f"/{source}/{flags}"
    assert recipe == ["undefined"]
    return "undefined"


def in_order_of_js(entries: list[tuple[str, Recipe]]) -> dict[str, Recipe]:
    """Own keys as JavaScript lists them: indices first, by number."""
    merged = dict(entries)
    indices = sorted((key for key in merged if is_index(key)), key=int)
    return {key: merged[key] for key in [*indices, *(k for k in merged if not is_index(k))]}


def is_index(key: str) -> bool:
    return key.isascii() and key.isdigit() and str(int(key)) == key and int(key) < 2**32 - 1


def step(key: str) -> str:
    if key.isascii() and key.replace("$", "_").isidentifier():
        return f".{key}"
    joined = key.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    shown = json.dumps(joined, ensure_ascii=False)
    shown = LONE_SURROGATE.sub(lambda unit: json.dumps(unit[0])[1:-1], shown)
    return f"[{shown}]"


def well_formed(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def iso(ms: int | None) -> str | None:
    if ms is None:
        return None
    moment = datetime.datetime.fromtimestamp(ms / 1000, datetime.UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


texts = st.text(max_size=8) | st.text(st.sampled_from("\ud800\udc00\U0001f388a"), max_size=4)
keys = st.sampled_from(["a", "b", "__proto__", "constructor", "then", "", "0", "10", "x-y", "ä"])
# Fractions that both languages write the same; all others cross in the tests of the codec.
quarters = st.integers(-(10**6), 10**6).map(lambda number: number / 4)
scalars = st.none() | st.booleans() | st.integers(-MAX_SAFE, MAX_SAFE) | quarters | texts
plain = st.tuples(st.just("plain"), scalars).map(list)
digits = st.integers(-(2**70), 2**70).map(str)
milliseconds = st.none() | st.integers(-(10**12), 10**13)
with_json = st.one_of(
    plain,
    st.just(["undefined"]),
    st.just(["number", "-0"]),
    st.builds(lambda text: ["bigint", text], digits),
    st.builds(lambda ms, is_sub: ["date", ms, is_sub], milliseconds, st.booleans()),
    st.builds(lambda flags: ["regexp", r"a\/b", flags], st.sampled_from(["", "g", "giu"])),
    st.builds(lambda item: ["boxed", item], plain.filter(lambda item: item[1] is not None)),
)
infinite = st.sampled_from(["NaN", "Infinity", "-Infinity"]).map(lambda name: ["number", name])
widths = {"Uint8Array": 1, "Int16Array": 2, "Float32Array": 4, "BigUint64Array": 8}
views = st.sampled_from([*widths.items(), ("DataView", 1), ("ArrayBuffer", 1)])
without_json = st.builds(
    lambda view, count, offset: ["bytes", view[0], "ab" * count * view[1], offset * view[1]],
    views,
    st.integers(0, 3),
    st.integers(0, 2),
)
refused = st.sampled_from([*REASONS, "cycle", "thrower"]).map(lambda kind: [kind])


def containers(inner: st.SearchStrategy[Recipe]) -> st.SearchStrategy[Recipe]:
    """What holds values and has JSON of its own."""
    entries = st.lists(st.tuples(keys, inner).map(list), max_size=4)
    kinds = st.sampled_from(["object", "bare", "instance", "symbols", "getters"])
    objects = st.builds(lambda kind, held: [kind, held], kinds, entries.map(once))
    arrays = st.builds(
        lambda held, is_sub: ["array", held, is_sub], st.lists(inner, max_size=4), st.booleans()
    )
    sparse = st.builds(
        lambda at, more, item: ["sparse", at + more, at, item],
        st.integers(0, 3),
        st.integers(1, 3),
        inner,
    )
    around = st.sampled_from(["proxy", "converted"])
    wrapped = st.builds(lambda kind, item: [kind, item], around, objects | arrays)
    return objects | arrays | sparse | wrapped


def collections(inner: st.SearchStrategy[Recipe]) -> st.SearchStrategy[Recipe]:
    """What holds values and is made into something plainer."""
    names = st.sampled_from(["Error", "TypeError", "SubError"])
    entries = st.lists(st.tuples(texts_as_keys | plain, inner).map(list), max_size=3)
    more = st.lists(
        st.tuples(st.sampled_from(["cause", "errors", "code"]), inner).map(list), max_size=2
    )
    return st.one_of(
        containers(inner),
        st.builds(lambda held, is_sub: ["map", held, is_sub], entries.map(once), st.booleans()),
        st.builds(
            lambda held, is_sub: ["set", held, is_sub], st.lists(inner, max_size=3), st.booleans()
        ),
        st.builds(lambda *parts: ["error", *parts], names, texts, more.map(once)),
    )


def once(entries: list[Any]) -> list[Any]:
    """Entries with each key once, as often as it is the same to JavaScript."""
    return list({json.dumps(entry[0]): entry for entry in entries}.values())


texts_as_keys = keys.map(lambda key: ["plain", key])

printable = st.recursive(with_json | infinite, containers, max_leaves=12)
sendable = st.recursive(with_json | without_json, collections, max_leaves=12)
anything = st.recursive(with_json | without_json | infinite | refused, collections, max_leaves=8)
