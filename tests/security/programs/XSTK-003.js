// XSTK-003: a position forged in stack, line and column properties: the outcome's error keeps its message
const error = new TypeError("real place");
error.stack = "TypeError: FORGED\n    at ESCAPED (file:///etc/passwd:1:1)"; error.lineNumber = 99999; error.line = -1; error.column = {};
throw error;