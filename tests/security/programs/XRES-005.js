// XRES-005: errors of tools that call themselves Timeout, Memory, EvalError or exit are errors the program can catch
const kept = [];
for (const name of ["Timeout", "Memory", "Cancelled", "OutputTooLarge", "EvalError", "ProtocolError", "SyntaxError", "exit", " ", "\ud800", "__proto__", "x".repeat(500)]) {
  try { await tools.fail({ name, message: "the tool's own text" }); return "ESCAPED resolved"; } catch (error) { if (error instanceof Error && error.message === "the tool's own text") kept.push(name); }
}
return kept.length === 12 ? "SAFE" : "ESCAPED " + kept.length;