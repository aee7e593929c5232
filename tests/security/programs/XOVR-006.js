// XOVR-006: a proxy between an API object and its prototype, and getters on Function.prototype, see no argument
const seen = [];
Object.setPrototypeOf(Object.getPrototypeOf(async function () {}), new Proxy(Function.prototype, { get(target, key, self) { seen.push(String(key)); return Reflect.get(target, key, self); } }));
for (const name of ["call", "apply", "bind"]) Object.defineProperty(Function.prototype, name, { configurable: true, get() { seen.push(name); return undefined; } });
const call = tools.echo({ a: 1 }); text("x"); console.log("y"); store("k", 1); load("k"); const ask = describeTool("echo");
const before = seen.length;
const value = await call; await ask;
return before ? "ESCAPED " + seen.join() : value.a === 1 ? "SAFE" : "ESCAPED wrong value";