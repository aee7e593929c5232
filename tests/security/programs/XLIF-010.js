// XLIF-010: the deadline passes while a call is open and writes are staged
store("staged", 1); text("kept"); try { await tools.hang({}); } finally { text("ESCAPED woke up"); }