// XOVR-005: Symbol.hasInstance, Symbol.toStringTag and Symbol.isConcatSpreadable cannot change what a value is
for (const C of [Map, Set, Date, RegExp, Promise, Error, Array, Uint8Array]) { try { Object.defineProperty(C, Symbol.hasInstance, { configurable: true, value: () => true }); } catch { /* locked */ } }
Object.defineProperty(Object.prototype, Symbol.toStringTag, { configurable: true, get() { return "Map"; } });
Object.defineProperty(Array.prototype, Symbol.isConcatSpreadable, { configurable: true, value: false });
const got = await tools.echo({ a: { b: 1 }, l: [1, 2], d: new Date(0), m: new Map([["k", 2]]) });
const wrong = got.a.b !== 1 || got.l.length !== 2 || got.d !== "1970-01-01T00:00:00.000Z" || got.m.k !== 2;
return wrong ? "ESCAPED " + JSON.stringify(got) : "SAFE";