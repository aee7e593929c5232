// XDEP-010: a text that shared parts and holes make endless ends at the limit, not at the time
try { text(Array(2 ** 32 - 1)); } catch { /* over */ }
let value = "x"; for (let i = 0; i < 60; i++) value = { a: value, b: value };
try { console.log("%j", value); } catch { /* over */ }
return "ESCAPED";