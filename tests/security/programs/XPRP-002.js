// XPRP-002: indexed accessors on Array.prototype and Object.prototype are not met by the lists a runtime builds
const seen = [];
for (let i = 0; i < 64; i++) for (const holder of [Array.prototype, Object.prototype]) Object.defineProperty(holder, i, { __proto__: null, configurable: true, get() { seen[seen.length - 0 || 0]; hits++; return undefined; }, set() { hits++; } });
var hits = 0;
text([1, [2, { a: 3 }]]); console.log([1, 2], new Map([["a", 1]]), "%s"); console.table([[1, 2]]); store("k", [1, 2]); load("k");
const calls = [tools.echo({ list: [1, [2]], map: new Map([["a", 1]]), set: new Set([1]) }), searchTools("echo"), tools.add({ a: 1, b: 2 })];
const before = hits;
const got = await calls[0]; const found = await calls[1]; const sum = await calls[2];
for (let i = 0; i < 64; i++) { delete Array.prototype[i]; delete Object.prototype[i]; }
return before ? "ESCAPED " + before + " accesses of the runtime" : got.list[1][0] === 2 && got.set[0] === 1 && found.length && sum === 3 ? "SAFE" : "ESCAPED wrong answers";