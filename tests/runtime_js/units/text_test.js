/** Values as text: JSON for output and for the store, and the readable form. */

import { equal, throws } from "./assert.js";
import { buildRooms } from "./rooms.js";

const { json, readable } = buildRooms();
const promise = Promise.resolve(1);
const UNBOUNDED = {
  limit: Infinity,
  exceed: () => {
    throw new RangeError("too long");
  },
};

/** @type {[string, unknown, string][]} */
const OUTPUT = [
  ["a text as it is", 'say "hi"', 'say "hi"'],
  ["undefined", undefined, "undefined"],
  ["null", null, "null"],
  ["minus zero", -0, "0"],
  ["special numbers, nested too", [NaN, -Infinity], "[NaN,-Infinity]"],
  ["a BigInt", [10n], "[10n]"],
  ["an object", { a: 1, b: [true, "x"] }, '{"a":1,"b":[true,"x"]}'],
  ["what is absent", [undefined, , { a: undefined }], '[undefined,undefined,{"a":undefined}]'],
  ["a Date", { at: new Date(0) }, '{"at":"1970-01-01T00:00:00.000Z"}'],
  ["a Map and a Set", [new Map([["a", 1]]), new Set([1])], "[Map(1) { 'a' => 1 },Set(1) { 1 }]"],
  ["bytes", new Uint8Array([1, 2]), "Uint8Array(2) [ 1, 2 ]"],
  ["a RegExp", /a/g, "/a/g"],
  ["a function", { f: function named() {} }, '{"f":[Function: named]}'],
  ["a Promise", promise, "Promise { did you forget await? }"],
  ["a lone surrogate in an object", ["\ud800"], '["\ufffd"]'],
  ["toJSON of the object", { toJSON: () => 7 }, "7"],
];

for (const [name, value, expected] of OUTPUT) {
  Deno.test(`text() shows ${name}`, () => equal(json.outputText(value, UNBOUNDED), expected));
}

Deno.test("text() shows a cycle where it closes", () => {
  /** @type {any} */
  const cycle = { list: [1] };
  cycle.list.push(cycle);

  equal(json.outputText(cycle, UNBOUNDED), '{"list":[1,[Circular]]}');
});

Deno.test("text() names the path of a getter that throws", () => {
  const value = {
    a: [{
      get b() {
        throw new Error("boom");
      },
    }],
  };

  throws(
    () => json.outputText(value, UNBOUNDED),
    TypeError,
    "value.a[0].b: reading it failed with Error: boom",
  );
});

Deno.test("toJSON put on a built-in prototype is ignored, one of a class is not", () => {
  class Money {
    toJSON() {
      return "5 EUR";
    }
  }
  const prototypes = [Object.prototype, Array.prototype, Date.prototype];
  const former = prototypes.map((prototype) =>
    Object.getOwnPropertyDescriptor(prototype, "toJSON")
  );
  for (const prototype of prototypes) {
    Object.defineProperty(prototype, "toJSON", { value: () => "FORGED", configurable: true });
  }
  try {
    const value = { list: [1], at: new Date(0), price: new Money() };
    equal(
      json.storeText(value, UNBOUNDED),
      '{"list":[1],"at":"1970-01-01T00:00:00.000Z","price":"5 EUR"}',
    );
  } finally {
    prototypes.forEach((prototype, index) => {
      const own = former[index];
      if (own === undefined) delete (/** @type {any} */ (prototype).toJSON);
      else Object.defineProperty(prototype, "toJSON", own);
    });
  }
});

Deno.test("the store's JSON is compact and drops what is absent", () => {
  equal(
    json.storeText({ a: undefined, b: [undefined, -0, 1.5], c: new Map([["k", 1]]) }, UNBOUNDED),
    '{"b":[null,0,1.5],"c":{"k":1}}',
  );
});

/** @type {[string, unknown, string][]} */
const NOT_STORED = [
  ["NaN", { a: NaN }, "value.a: NaN cannot be stored"],
  ["a BigInt", [1n], "value[0]: a BigInt cannot be stored"],
  ["bytes", new Uint8Array(1), "value: bytes cannot be stored"],
  ["a function", () => 1, "value: a function cannot leave the program"],
  ["a Promise", { p: promise }, "value.p: a Promise is not a value; did you forget await?"],
];

for (const [name, value, message] of NOT_STORED) {
  Deno.test(`${name} cannot be stored`, () =>
    throws(() => json.storeText(value, UNBOUNDED), TypeError, message));
}

class Shape {
  sides = 3;
  get area() {
    return 1;
  }
}

const LINES_OF_TENS = `[\n  ${"10, ".repeat(21)}10,\n  ${"10, ".repeat(21)}10,\n  ${
  "10, ".repeat(15)
}10\n]`;
const ALPHABET = `Set(26) {\n  ${
  [..."abcdefghijklmnopq"].map((letter) => `'${letter}'`).join(", ")
},\n  ${[..."rstuvwxyz"].map((letter) => `'${letter}'`).join(", ")}\n}`;
const HUNDRED = `[\n  ${`'${"y".repeat(30)}',\n  `.repeat(100)}... 2 more\n]`;
const ODD_ARRAY = Object.assign([1], { "01": 2, "-1": 3, x: 4 });
const NESTED = new Map([["a", new Set([new Map([[{ k: 1 }, 2]])])]]);
const CYCLES = /** @type {any} */ ({});
CYCLES.self = CYCLES;
CYCLES.map = new Map([["up", CYCLES]]);
const FUNCTIONS = "[ [class A], [Function: b], [Function (anonymous)] ]";
const SETTERS = {
  set a(/** @type {any} */ _) {},
  get b() {
    return 1;
  },
  set b(_) {},
};

/** @type {[string, unknown, string][]} */
const READABLE = [
  ["texts in quotes", ["it's", 'a "b"'], `[ "it's", 'a "b"' ]`],
  ["minus zero", -0, "-0"],
  ["a class and an instance", [Shape, new Shape()], "[ [class Shape], Shape { sides: 3 } ]"],
  ["keys that need quotes", { "a-b": 1, ok: 2 }, "{ 'a-b': 1, ok: 2 }"],
  [
    "getters without running them",
    Object.defineProperty({}, "x", {
      get() {
        throw new Error("run");
      },
      enumerable: true,
    }),
    "{ x: [Getter] }",
  ],
  ["holes", [, , 1], "[ undefined, undefined, 1 ]"],
  ["deep objects", { a: { b: { c: { d: { e: 1 } } } } }, "{ a: { b: { c: { d: [Object] } } } }"],
  ["what is too long for a line by parts", { a: "x".repeat(90) }, `{\n  a: '${"x".repeat(90)}'\n}`],
  ["short elements in lines that are full", Array(60).fill(10), LINES_OF_TENS],
  ["short members of a Set too", new Set([..."abcdefghijklmnopqrstuvwxyz"]), ALPHABET],
  ["long lists to a hundred elements", Array(102).fill("y".repeat(30)), HUNDRED],
  ["extra keys of an array, however they look", ODD_ARRAY, "[ 1, '01': 2, '-1': 3, x: 4 ]"],
  ["iterators and namespaces by their tags", [[].values(), Math], "[ Array Iterator {}, Math {} ]"],
  ["an instance of a class without a name", new (class {})(), "{}"],
  ["a null prototype", { __proto__: null, a: 1 }, "{ a: 1 }"],
  ["a Map in a Set in a Map", NESTED, "Map(1) { 'a' => Set(1) { Map(1) { { k: 1 } => 2 } } }"],
  ["cycles", CYCLES, "{ self: [Circular], map: Map(1) { 'up' => [Circular] } }"],
  ["functions by kind", [class A {}, function b() {}, () => 1], FUNCTIONS],
  ["symbol keys", { [Symbol("s")]: 1 }, "{ [Symbol(s)]: 1 }"],
  ["bytes", new Uint8Array([1, 255]).buffer, "ArrayBuffer(2) [ 1, 255 ]"],
  ["setters", SETTERS, "{ a: [Setter], b: [Getter/Setter] }"],
  [
    "a proxy that throws",
    new Proxy({}, {
      getPrototypeOf() {
        throw new Error("trap");
      },
    }),
    "[Unreadable]",
  ],
  ["symbols", Symbol("s"), "Symbol(s)"],
  ["wrapped primitives", Object(1), "[Number: 1]"],
];

for (const [name, value, expected] of READABLE) {
  Deno.test(`the readable form shows ${name}`, () => equal(readable.inspect(value), expected));
}

Deno.test("the readable form goes as deep as it is asked to", () => {
  const value = { a: { b: { c: { d: { e: 1 } } } } };

  equal(readable.inspect(value, 1), "{ a: { b: [Object] } }");
  equal(readable.inspect(value, null), "{ a: { b: { c: { d: { e: 1 } } } } }");
});

Deno.test("the readable form of something huge is bounded", () => {
  const row = Array.from({ length: 200 }, (_, index) => ({ index, text: "x".repeat(50) }));
  const huge = Array.from({ length: 200 }, () => row);

  const { length } = readable.inspect({ huge, long: "y".repeat(1e6) });

  equal(length < 2e6, true);
});
