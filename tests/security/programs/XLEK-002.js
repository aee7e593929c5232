// XLEK-002: reader: the next run of the tenant finds everything as new
const found = [];
try { null.x; } catch (error) { if (error.stack.includes("FROM RUN") || !error.stack.includes("program.js")) found.push("stack"); }
if (Error.stackTraceLimit === 0) found.push("stackTraceLimit"); if ({}.leak) found.push("Object.prototype"); if (Object.isFrozen(Array.prototype)) found.push("frozen");
if (JSON.parse("1") !== 1) found.push("JSON"); if (new Date(0).toISOString() !== "1970-01-01T00:00:00.000Z") found.push("Date"); if (Object.getOwnPropertyDescriptor(Intl.NumberFormat.prototype, "format")?.get === undefined) found.push("Intl"); if (typeof Promise !== "function") found.push("Promise");
return found.length || (await tools.add({ a: 1, b: 1 })) !== 2 ? "ESCAPED " + found.join() : "SAFE";