// XPRP-004: names of Object.prototype are no tools, no keys, no namespaces and no questions
const wrong = [];
for (const name of ["__proto__", "constructor", "hasOwnProperty", "toString", "valueOf", "isPrototypeOf", "__defineGetter__"]) {
  if (tools[name] !== undefined) wrong.push("tools." + name);
  if (load(name) !== undefined) wrong.push("load " + name);
  if ((await describeTool(name)) !== undefined) wrong.push("describeTool " + name);
  if ((await describeNamespace(name)) !== undefined) wrong.push("describeNamespace " + name);
}
return wrong.length ? "ESCAPED " + wrong.join() : "SAFE";