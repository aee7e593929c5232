// XRES-006: a tool that fails with an empty, huge or many-lined message does not break the error or the worker
const shapes = [];
for (const message of ["", "\n\n\n", "m".repeat(300000), "\u0000", "\ud83d", "at file:///x.js:1:1", "a\u2028b"]) { try { await tools.fail({ message }); } catch (error) { shapes.push(error instanceof Error && typeof error.message === "string" && typeof error.stack === "string"); } }
return shapes.length === 7 && shapes.every(Boolean) ? "SAFE" : "ESCAPED";