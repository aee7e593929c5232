// XSTK-005: getters for name, message, cause, errors and stack of a thrown error run at most once and cannot bend the outcome
let reads = 0;
const error = new Error("x");
for (const key of ["message", "name", "stack", "cause", "errors"]) Object.defineProperty(error, key, { configurable: true, get() { if (++reads > 50) throw new Error("ESCAPED read again and again"); if (key === "cause") throw new Error("in cause"); return key === "errors" ? [1] : "told"; } });
throw error;