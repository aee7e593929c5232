// XIMP-002: npm:, relative, import map and JSON modules
const loaded = [];
for (const [name, options] of [["npm:chalk"], ["./guest/run.js"], ["../runtime_js/main.js"], ["#internal"], ["", undefined], ["data:application/json,{}", { with: { type: "json" } }], ["file:///proc/self/environ", { with: { type: "text" } }]]) {
  try { await import(name, options); loaded.push(name); } catch { /* refused */ }
}
return loaded.length ? "ESCAPED " + loaded.join() : "SAFE";