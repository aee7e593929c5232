// XIMP-004: import() while every hook it could use is the program's: Promise, then, constructor, species
class Spy extends Promise { static get [Symbol.species]() { return Spy; } then(done, failed) { return super.then(done && (() => done({ default: "FORGED" })), failed); } }
Object.defineProperty(Promise.prototype, "constructor", { configurable: true, value: Spy });
globalThis.Promise = Spy;
let refused = 0;
for (const name of ["node:fs", "nope:x"]) { try { const got = await import(name); return "ESCAPED " + typeof got; } catch (error) { if (error instanceof Error) refused++; } }
return refused === 2 ? "SAFE" : "ESCAPED a foreign error";