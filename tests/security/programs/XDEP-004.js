// XDEP-004: one small list seen billions of times through shared references is not sent as often
let value = Array(2000).fill(1); for (let i = 0; i < 3; i++) value = Array(2000).fill(value);
let message; try { await tools.echo({ value }); return "ESCAPED sent"; } catch (error) { message = error.message; }
return /1048576|argument_bytes/.test(message) && (await tools.add({ a: 1, b: 1 })) === 2 ? "SAFE" : "ESCAPED " + message;