// XIMP-001: node: builtins, with and without prefix, by import()
const loaded = [];
for (const name of ["node:fs", "node:process", "node:vm", "node:child_process", "node:worker_threads", "node:v8", "node:inspector", "node:module", "fs", "process", "ext:core/mod.js", "internal:core"]) {
  try { await import(name); loaded.push(name); } catch { /* refused */ }
}
return loaded.length ? "ESCAPED " + loaded.join() : "SAFE";