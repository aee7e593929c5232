// XPRP-002: indexed accessors on Array.prototype and Object.prototype are not met by the lists a runtime builds
let hits = 0;
const accessor = { __proto__: null, configurable: true, get() { hits++; return undefined; }, set() { hits++; } };
for (let i = 0; i < 64; i++) for (const holder of [Array.prototype, Object.prototype]) Object.defineProperty(holder, i, accessor);
const list = JSON.parse("[1,[2]]"), map = new Map(), set = new Set(); map.set("a", 1); set.add(1);
hits = 0;
text(list); console.log(list, map, "%s"); console.table(list); store("k", list); load("k");
const call = tools.echo({ list, map, set }), ask = searchTools("echo"), sum = tools.add({ a: 1, b: 2 });
const before = hits;
const got = await call, found = await ask, three = await sum;
for (let i = 0; i < 64; i++) { delete Array.prototype[i]; delete Object.prototype[i]; }
return before ? "ESCAPED " + before + " accesses of the runtime" : got.list[1][0] === 2 && got.set[0] === 1 && found.length && three === 3 ? "SAFE" : "ESCAPED wrong answers";