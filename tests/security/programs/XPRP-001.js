// XPRP-001: accessors on Object.prototype for every name a frame or record may use see nothing and bend nothing
const seen = [];
const names = ["name", "message", "stack", "line", "column", "cause", "errors", "kind", "tag", "index", "ok", "how", "notes", "items", "calls", "limit", "namespace", "query", "root", "depth", "steps", "promise", "resolve", "reject", "failure", "open", "phase", "describe", "refusal", "mimeType", "bytes", "text", "lastChunkHandling", "value", "writable", "enumerable", "configurable", "set", "get"];
for (const name of names) Object.defineProperty(Object.prototype, name, { __proto__: null, configurable: true, get() { seen.push("get " + name); return undefined; }, set() { seen.push("set " + name); } });
seen.length = 0;
text({ __proto__: null, a: 1 }); console.log("x"); store("k", [1]); load("k");
const call = tools.add({ __proto__: null, a: 1, b: 2 });
const search = searchTools("echo"), described = describeTool("echo"), failing = tools.fail({ message: "m", name: "N" });
const before = seen.length;
const sum = await call, found = await search; await described;
let m; try { await failing; } catch (error) { m = Object.getOwnPropertyDescriptor(error, "message"); }
for (const name of names) delete Object.prototype[name];
return before ? "ESCAPED the runtime asked for " + [...new Set(seen)].join() : sum === 3 && m?.value === "m" && found.length ? "SAFE" : "ESCAPED wrong answers";