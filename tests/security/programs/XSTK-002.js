// XSTK-002: the runtime's own stack hook, called by the program with forged call sites
const hook = Error.prepareStackTrace;
if (typeof hook !== "function") return "SAFE no hook";
const got = [];
const spy = new Proxy(function () {}, { get: (_, key) => { got.push(String(key)); return () => "file:///forged.js"; }, getPrototypeOf: () => { got.push("proto"); return null; } });
const error = new Error("real");
let result; try { result = hook(error, [spy, { getFileName: () => "program.js", getLineNumber: () => 1e9, getColumnNumber: () => 7, getFunctionName: () => "FORGED", isAsync: () => false, isConstructor: () => false }]); } catch (thrown) { result = String(thrown); }
return /forged/i.test(String(result)) ? "ESCAPED forged frames in " + result : "SAFE";