// XPRT-005: exit() inside a getter while a call is encoded, caught or not: one end and no call
const value = { a: "x".repeat(3000), get b() { try { exit(); } catch { /* over */ } return 1; }, c: 2 };
try { await tools.echo(value); } catch { /* over */ }
try { text(value); } catch { /* over */ }
return "ESCAPED";
