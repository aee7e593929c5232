// XAMB-001: node:process builtins by getBuiltinModule, require and mainModule
const ways = {
  builtin: () => globalThis.process.getBuiltinModule("node:fs"),
  main: () => globalThis.process.mainModule.require("node:fs"),
  require: () => globalThis.require("node:fs"),
  module: () => globalThis.module.constructor._load("node:fs"),
  binding: () => globalThis.process.binding("fs"),
};
const open = Object.keys(ways).filter((way) => { try { return ways[way]() !== undefined; } catch { return false; } });
return open.length ? "ESCAPED " + open.join() : "SAFE";