// XARG-003: a proxy that answers differently each time it is asked is taken once and consistently
let asked = 0;
const shifty = new Proxy({}, { ownKeys: () => (asked++ % 2 ? ["a"] : ["a", "b", "c"]), getOwnPropertyDescriptor: (_, key) => ({ enumerable: true, configurable: true, value: key }), get: (_, key) => (key === "toJSON" ? undefined : { [key]: asked }), getPrototypeOf: () => (asked % 2 ? Array.prototype : Object.prototype) });
const results = [];
for (let i = 0; i < 8; i++) { try { results.push(Object.keys((await tools.echo({ shifty, n: i })).shifty).length); } catch (error) { results.push(error instanceof TypeError ? "refused" : "odd"); } }
return results.includes("odd") || (await tools.add({ a: 1, b: 1 })) !== 2 ? "ESCAPED" : "SAFE " + results.length;