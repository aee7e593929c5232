// XAMB-006: Object.prototype getters as a trap for names a runtime looks up lazily on the global object
const asked = [];
for (const name of ["Deno", "process", "require", "setTimeout", "queueMicrotask", "Buffer", "__bootstrap", "primordials", "internalBinding", "TextEncoder"]) {
  Object.defineProperty(Object.prototype, name, { configurable: true, get() { asked.push(name); return undefined; } });
}
text({ a: [1] }); console.log({ b: 2 }); store("k", { c: 3 }); load("k");
await tools.echo({ d: 4 });
try { await tools.fail({ message: "m" }); } catch { /* expected */ }
return asked.length ? "ESCAPED the runtime looked up " + asked.join() : "SAFE";