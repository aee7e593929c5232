// XSYN-006: parameters and locals of a wrapper: arguments, this, new.target and super of the outermost function
const found = [];
if (typeof arguments !== "undefined" && arguments.length > 0) found.push("arguments");
if (this !== undefined && this !== globalThis) found.push("this");
if (new.target !== undefined) found.push("new.target");
try { if (arguments.callee.caller) found.push("caller"); } catch { /* strict or absent */ }
return found.length ? "ESCAPED " + found.join() : "SAFE";