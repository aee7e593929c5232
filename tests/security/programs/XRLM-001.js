// XRLM-001: constructor chains from every function and object of the API end at the realm's own Function
const roots = { tools, echo: tools.echo, text, image, exit, store, load, console, log: console.log, table: console.table, models, search: searchTools, describe: describeTool, namespace: describeNamespace, list: ALL_TOOLS, entry: ALL_TOOLS[0], classify: models.classify };
const foreign = [];
for (const name of Object.keys(roots)) {
  for (let each = roots[name]; each !== null && each !== undefined; each = Object.getPrototypeOf(each)) {
    let up; try { up = each.constructor; } catch { continue; }
    if (typeof up === "function" && !(up instanceof Function)) foreign.push(name);
    if (typeof up === "function" && up.constructor !== Function) foreign.push(name + ".constructor");
  }
}
return foreign.length ? "ESCAPED " + foreign.join() : "SAFE";