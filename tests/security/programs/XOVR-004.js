// XOVR-004: describing the error that ends a run does not go through what the program patched
const patched = [[String.prototype, "slice"], [String.prototype, "split"], [Array.prototype, "join"], [Array.prototype, "push"], [Object, "getOwnPropertyDescriptor"], [Object.prototype, "hasOwnProperty"], [WeakMap.prototype, "get"], [WeakMap.prototype, "set"], [Error, "isError"], [Error, "captureStackTrace"]];
let used = "";
for (const [holder, name] of patched) { const real = holder[name]; holder[name] = function (...args) { used = String(name); return Reflect.apply(real, this, args); }; }
try { await tools.fail({ message: "m" }); } catch (error) { void error.stack; text("x"); }
void new Error("e", { cause: new Error("c") }).stack;
try { store("k", { f() {} }); } catch { /* refused */ }
return used ? "ESCAPED the runtime used " + used : "SAFE";