// XDEP-001: 200 levels pass as argument, result and stored value; 201 are refused with the limit
const nest = (levels) => { let value = []; for (let i = 1; i < levels; i++) value = i % 2 ? [value] : { k: value }; return value; };
const depth = (value) => { let n = 0; for (let v = value; v !== undefined && typeof v === "object"; v = Array.isArray(v) ? v[0] : v.k) n++; return n; };
const wrong = [];
if (depth(await tools.echo(nest(200))) !== 200) wrong.push("200 as argument");
store("k", nest(200)); if (depth(load("k")) !== 200) wrong.push("200 in the store");
text(nest(200));
for (const [name, act] of [["call", () => tools.echo(nest(201))], ["store", () => store("l", nest(201))], ["text", () => text(nest(201))]]) { try { await act(); wrong.push(name + " took 201"); } catch (error) { if (!/200/.test(error.message)) wrong.push(error.message); } }
return wrong.length ? "ESCAPED " + wrong.join() : "SAFE";