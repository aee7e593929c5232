// XIMP-007: message and stack of a refused import() name no loader, file or flag of the host
const lines = [];
for (const name of ["node:fs", "./x.js", "file:///etc/passwd", "data:,", "https://127.0.0.1:9/"]) {
  try { await import(name); } catch (error) { lines.push(String(error?.message), String(error?.stack), String(error?.code)); }
}
const bad = /--allow|--unstable|deno|node_modules|runtime_js|ext:|\/tmp|\/home|at async.*file:/i.exec(lines.join("\n").replaceAll("file:///etc/passwd", ""));
return bad ? "ESCAPED " + bad[0] : "SAFE";