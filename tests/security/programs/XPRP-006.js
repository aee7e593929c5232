// XPRP-006: Promise.prototype.then, catch and finally replaced: calls of the API still settle, unseen
const seen = [];
const real = { then: Promise.prototype.then, catch: Promise.prototype.catch, finally: Promise.prototype.finally };
for (const name of Object.keys(real)) Promise.prototype[name] = function (...args) { seen.push(name); return Reflect.apply(real[name], this, args); };
const call = tools.echo({ a: 1 }), ask = searchTools("echo"), text_ = describeTool("echo");
const before = seen.length;
const value = await call; await ask; await text_;
Object.assign(Promise.prototype, real);
return before > 0 ? "ESCAPED the runtime used the patched " + seen[0] : value.a === 1 ? "SAFE" : "ESCAPED wrong value";