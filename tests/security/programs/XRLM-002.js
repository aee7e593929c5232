// XRLM-002: every node of a deep tool result is an object of the realm, keys and prototypes included
const sent = { a: [1, { b: [null, "s", { c: {} }] }], d: { e: [[], {}] } };
const foreign = [];
const visit = (value, path) => {
  if (value === null || typeof value !== "object") return;
  const wanted = Array.isArray(value) ? Array.prototype : Object.prototype;
  if (Object.getPrototypeOf(value) !== wanted) foreign.push(path);
  for (const key of Reflect.ownKeys(value)) visit(value[key], path + "." + String(key));
};
visit(await tools.echo(sent), "result");
visit(await searchTools("echo"), "search");
store("k", sent); visit(load("k"), "load");
visit(await tools.hostile({ kind: "keys" }), "keys");
return foreign.length ? "ESCAPED " + foreign.slice(0, 3).join() : "SAFE";