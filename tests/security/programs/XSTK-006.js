// XSTK-006: captureStackTrace and stackTraceLimit: odd targets, negative, huge and object limits
const limits = [-1, 0, 1e9, NaN, "5", {}, null, Symbol.iterator, undefined];
for (const limit of limits) { try { Error.stackTraceLimit = limit; } catch { /* refused */ } try { void new Error("e").stack; await tools.fail({ message: "m" }); } catch (error) { void error.stack; } }
const odd = [Object.freeze({}), new Proxy({}, { defineProperty: () => false, set: () => { throw 1; } }), tools, [], () => 1];
for (const target of odd) { try { Error.captureStackTrace(target, text); void target.stack; } catch { /* refused */ } }
try { Object.defineProperty(Error, "stackTraceLimit", { get() { throw 1; }, configurable: true }); void new Error("e").stack; } catch { /* refused */ }
let m; try { await tools.fail({ message: "still" }); } catch (error) { m = error.message; }
return m === "still" ? "SAFE" : "ESCAPED " + m;