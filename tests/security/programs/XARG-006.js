// XARG-006: an argument of exactly its limit passes, one byte more is refused with its name, neither ends the run
const fits = "x".repeat(1024 - 5);
const results = [];
for (const value of [fits, fits + "xxxxxxxx", "é".repeat(600), new Uint8Array(2000)]) { try { results.push((await tools.echo(value)).length > 0 ? "sent" : "empty"); } catch (error) { results.push(error instanceof RangeError && error.message.includes("argument_bytes") ? "refused" : error.message); } }
return results.join() === "sent,refused,refused,refused" ? "SAFE" : "ESCAPED " + results.join();