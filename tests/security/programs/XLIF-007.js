// XLIF-007: a rejected promise whose prototype and constructor are hostile when the host hears of it
const promise = Promise.reject(new Error("x"));
Object.setPrototypeOf(promise, new Proxy(Promise.prototype, { get() { throw new Error("trap"); }, getPrototypeOf() { throw new Error("trap"); } }));
const other = Promise.reject(1); Object.setPrototypeOf(other, null); Object.defineProperty(other, "then", { get() { throw 1; } });
await tools.add({ a: 1, b: 1 });
return "SAFE";