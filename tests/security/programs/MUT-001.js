// MUT-001; error-stack; the stack hook cannot be replaced through the real Error
const got = []; try { Error.prepareStackTrace = (_, sites) => sites; got.push(new Error("x").stack); } catch {}
try { delete Error.prepareStackTrace; Error.prepareStackTrace = (_, sites) => sites; got.push(new Error("x").stack); } catch {}
return got.some((stack) => typeof stack !== "string") ? "ESCAPED call sites" : "SAFE";
