// XAMB-005: a ReferenceError of a missing global must not hand out a working stand-in
const tries = [() => setTimeout(() => {}, 0), () => fetch("http://127.0.0.1:9"), () => queueMicrotask(() => {}), () => structuredClone({}), () => require("fs"), () => process.exit(0), () => Deno.exit(0)];
const kinds = new Set(tries.map((act) => { try { act(); return "ran"; } catch (error) { return error instanceof ReferenceError ? "absent" : error.name; } }));
return kinds.size === 1 && kinds.has("absent") ? "SAFE" : "ESCAPED " + [...kinds].join();