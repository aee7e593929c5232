/** The codec against golden bytes, and against itself for everything else. */

import { equal, throws } from "./assert.js";
import { buildRooms } from "./rooms.js";

const ARGUMENT = {
  root: "argument",
  isFinite: true,
  limit: 1000,
  exceed: () => {
    throw new RangeError("too large");
  },
};
const RETURN = { ...ARGUMENT, root: "return", isFinite: false, limit: Infinity };

/**
 * @param {unknown} value
 * @param {any} [rule]
 */
function encoded(value, rule = RETURN) {
  const { codec, writer } = buildRooms();
  return writer.capture(() => codec.encode(value, rule));
}

/** @param {string} hex */
function decoded(hex) {
  const { reader } = buildRooms();
  const bytes = Uint8Array.fromHex(hex.replaceAll(" ", ""));
  new Uint8Array(reader.room(bytes.length)).set(bytes);
  reader.begin(bytes.length);
  return reader.value();
}

/** @type {[unknown, string][]} */
const GOLDEN = [
  [null, "c0"],
  [false, "c2"],
  [true, "c3"],
  [0, "00"],
  [127, "7f"],
  [128, "cc80"],
  [256, "cd0100"],
  [65536, "ce00010000"],
  [4294967296, "cf0000000100000000"],
  [Number.MAX_SAFE_INTEGER, "cf001fffffffffffff"],
  [-1, "ff"],
  [-32, "e0"],
  [-33, "d0df"],
  [-129, "d1ff7f"],
  [-32769, "d2ffff7fff"],
  [-2147483649, "d3ffffffff7fffffff"],
  [Number.MIN_SAFE_INTEGER, "d3ffe0000000000001"],
  [1.5, "cb3ff8000000000000"],
  [Infinity, "cb7ff0000000000000"],
  ["", "a0"],
  ["abc", "a3616263"],
  ["a".repeat(32), "d920" + "61".repeat(32)],
  ["\u00e9\u20ac", "a5c3a9e282ac"],
  [[1, [2]], "92019102"],
  [{ a: 1, b: {} }, "82a16101a16280"],
  [new Uint8Array([1, 2, 255]), "c4030102ff"],
];

for (const [value, hex] of GOLDEN) {
  Deno.test(`${hex.slice(0, 20)} is ${Deno.inspect(value).slice(0, 30)} in both directions`, () => {
    equal(encoded(value).toHex(), hex);
    equal(decoded(hex), value);
  });
}

Deno.test("long texts, lists and maps take the longer headers", () => {
  const list = Array.from({ length: 70000 }, (_, index) => index % 100);
  const map = Object.fromEntries(list.slice(0, 20).map((_, index) => [`key${index}`, index]));
  const text = "line \u00e9\n".repeat(20000);

  for (const value of [list, map, text, list.slice(0, 20)]) {
    equal(decoded(encoded(value).toHex()), value);
  }
});

/** @type {[string, unknown, unknown][]} */
const CONVERTED = [
  ["a hole and undefined in an array", [undefined, , 1], [null, null, 1]],
  ["an undefined property", { a: undefined, b: 1 }, { b: 1 }],
  ["minus zero", -0, 0],
  ["a safe BigInt", 10n, 10],
  ["a larger BigInt", 2n ** 70n, "1180591620717411303424"],
  ["a Date", new Date(0), "1970-01-01T00:00:00.000Z"],
  ["an invalid Date", new Date(NaN), null],
  ["a Map with text keys", new Map([["a", 1]]), { a: 1 }],
  ["another Map", new Map([[1, "a"]]), [[1, "a"]]],
  ["a Set", new Set([1, "a"]), [1, "a"]],
  ["a view with an offset", new Uint16Array(new ArrayBuffer(8), 4, 1), new Uint8Array(2)],
  ["a DataView", new DataView(new ArrayBuffer(3), 1), new Uint8Array(2)],
  ["an ArrayBuffer", new ArrayBuffer(1), new Uint8Array(1)],
  ["an Error", new RangeError("m", { cause: "c" }), {
    name: "RangeError",
    message: "m",
    cause: "c",
  }],
  ["a RegExp", /a"b/gi, '/a"b/gi'],
  ["wrapped primitives", [new String("a"), Object(1), Object(true)], ["a", 1, true]],
  ["own toJSON", { toJSON: () => ({ a: 1 }) }, { a: 1 }],
  ["toJSON without a value in an object", { a: { toJSON() {} }, b: 1 }, { b: 1 }],
  ["data called toJSON", { toJSON: "x" }, { toJSON: "x" }],
  ["a symbol key", { [Symbol("s")]: 1, a: 2 }, { a: 2 }],
  ["a lone surrogate", "a\ud800b", "a\ufffdb"],
  ["an object without prototype", Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
];

for (const [name, value, expected] of CONVERTED) {
  Deno.test(`${name} is encoded by the value table`, () => {
    equal(decoded(encoded(value).toHex()), expected);
  });
}

Deno.test("class instances are their own properties, or what their class's toJSON says", () => {
  class Point {
    x = 1;
    get hidden() {
      return 2;
    }
  }
  class Named extends Point {
    toJSON() {
      return { named: this.x };
    }
  }

  equal(decoded(encoded([new Point(), new Named()]).toHex()), [{ x: 1 }, { named: 1 }]);
});

/** @type {[string, unknown, string][]} */
const REFUSED = [
  ["a function", { a: [1, () => 1] }, "argument.a[1]: a function cannot leave the program"],
  [
    "a symbol",
    { "first name": Symbol() },
    'argument["first name"]: a symbol cannot leave the program',
  ],
  [
    "a Promise",
    [Promise.resolve()],
    "argument[0]: a Promise is not a value; did you forget await?",
  ],
  ["a WeakMap", new WeakMap(), "argument: a weak collection cannot leave the program"],
  ["NaN in an argument", { a: NaN }, "argument.a: NaN cannot be sent"],
  [
    "a getter that throws",
    {
      a: {
        get b() {
          throw new Error("boom");
        },
      },
    },
    "argument.a.b: reading it failed with Error: boom",
  ],
];

for (const [name, value, message] of REFUSED) {
  Deno.test(`${name} is refused with its path`, () => {
    throws(() => encoded(value, ARGUMENT), TypeError, message);
  });
}

Deno.test("cycles are refused, repeated values are not", () => {
  /** @type {any} */
  const cycle = { a: [] };
  cycle.a.push(cycle);
  const shared = { b: 1 };
  const map = new Map();
  map.set("self", map);

  throws(() => encoded(cycle), TypeError, "return.a[0]: the value contains itself");
  throws(() => encoded(map), TypeError, "return.self: the value contains itself");
  equal(decoded(encoded([shared, shared]).toHex()), [{ b: 1 }, { b: 1 }]);
});

Deno.test("200 levels pass and 201 do not", () => {
  const nested = (/** @type {number} */ levels) => {
    /** @type {unknown[]} */
    let value = [];
    for (let level = 1; level < levels; level++) value = [value];
    return value;
  };

  equal(encoded(nested(200)).length, 200);
  const path = "return" + "[0]".repeat(200);
  throws(() => encoded(nested(201)), RangeError, `${path}: values nest at most 200 levels`);
});

Deno.test("a value above its limit of bytes is refused, one at the limit is not", () => {
  equal(encoded("a".repeat(997), ARGUMENT).length, 1000);
  throws(() => encoded("a".repeat(998), ARGUMENT), RangeError, "too large");
  throws(() => encoded([new Uint8Array(1000)], ARGUMENT), RangeError, "too large");
});

Deno.test("integers beyond the safe range arrive as decimal text", () => {
  equal(decoded("cf0020000000000000"), "9007199254740992");
  equal(decoded("cfffffffffffffffff"), "18446744073709551615");
  equal(decoded("d38000000000000000"), "-9223372036854775808");
  equal(decoded("d3ffe0000000000000"), "-9007199254740992");
});

Deno.test("keys that are numbers or booleans arrive as text", () => {
  equal(decoded("82 05 01 c3 02"), { 5: 1, true: 2 });
});

Deno.test("names of the prototype are ordinary own keys", () => {
  const value = decoded(
    "83 a9 5f5f70726f746f5f5f 81 a161 01 ab 636f6e7374727563746f72 02 a4 7468656e 03",
  );

  equal(Object.getPrototypeOf(value), Object.prototype);
  equal(Object.keys(value), ["__proto__", "constructor", "then"]);
  equal(Object.getOwnPropertyDescriptor(value, "__proto__")?.value, { a: 1 });
});

Deno.test("a byte order mark is kept", () => {
  equal(decoded("a4 efbbbf 61"), "\ufeffa");
});

Deno.test("setters a program puts on prototypes see nothing of what is decoded", () => {
  const { reader } = buildRooms();
  const bytes = Uint8Array.fromHex("81a36b65799107");
  new Uint8Array(reader.room(bytes.length)).set(bytes);
  let seen = 0;
  const spy = { set: () => seen++, configurable: true };
  Object.defineProperty(Object.prototype, "key", spy);
  Object.defineProperty(Array.prototype, "0", spy);
  let value;
  try {
    reader.begin(bytes.length);
    value = reader.value();
  } finally {
    delete (/** @type {any} */ (Object.prototype).key);
    delete (/** @type {any} */ (Array.prototype)[0]);
  }

  equal(value, { key: [7] });
  equal(seen, 0);
});

for (const hex of ["", "a3 6162", "91", "c1", "d4 01 00", "ca 00000000", "dd ffffffff"]) {
  Deno.test(`the malformed bytes ${hex || "(none)"} are refused`, () => {
    throws(() => decoded(hex), Error, "malformed fields");
  });
}

Deno.test("a frame made while another is being filled is sent whole, then the other", () => {
  const { codec, frames, writer } = buildRooms();
  const value = {
    before: 1,
    get inner() {
      writer.send(3, 1, () => writer.text("inner"));
      return 2;
    },
  };
  writer.send(6, 1, () => codec.encode(value, RETURN));

  equal(frames.map((frame) => [frame[4], frame[14]]), [[0x93, 3], [0x93, 6]]);
  equal(decoded(frames[1].slice(15).toHex()), { before: 1, inner: 2 });
});

Deno.test("nothing is sent when filling a frame fails", () => {
  const { codec, frames, writer } = buildRooms();

  throws(
    () => writer.send(6, 1, () => codec.encode(Symbol(), RETURN)),
    TypeError,
    "return: a symbol cannot leave the program",
  );
  writer.send(3, 1, () => writer.text("next"));

  equal(frames.length, 1);
  equal(frames[0].slice(15).toHex(), "a46e657874");
});
