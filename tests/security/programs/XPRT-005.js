// XPRT-005: exit() inside a getter while a call is encoded sends one end and no call
await tools.echo({ a: "x".repeat(3000), get b() { exit(); return 1; }, c: 2 });
return "ESCAPED";