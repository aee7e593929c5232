// XIMP-004: import() while every hook it could use is the program's: Promise, then, constructor, species
const real = Promise;
const seen = [];
Object.defineProperty(Promise.prototype, "then", { configurable: true, writable: true, value: function (done, failed) { seen.push(typeof done); return Reflect.apply(then, this, [done, failed]); } });
const then = (async () => {}).constructor.prototype.then ?? real.resolve().constructor.prototype.catch;
let refused = 0;
for (const name of ["node:fs", "nope:x"]) { try { const got = await import(name); if (got) return "ESCAPED " + name; } catch (error) { if (error instanceof Error) refused++; } }
return refused === 2 ? "SAFE" : "ESCAPED a foreign error";