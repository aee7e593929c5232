// XLIF-006: rejections with hostile reasons: proxies, throwing getters, symbols, thenables, cyclic causes
const cyclic = new Error("c"); cyclic.cause = cyclic;
for (const reason of [new Proxy({}, { get() { throw 1; }, getPrototypeOf() { throw 2; } }), { get message() { throw 3; }, get name() { exit(); } }, Symbol("s"), { then(r) { r(1); } }, cyclic, null, undefined, class A {}, new Proxy(new Error("p"), { get() { text("ESCAPED read"); return "x"; } })]) Promise.reject(reason);
await null; await tools.add({ a: 1, b: 1 });
return "SAFE";