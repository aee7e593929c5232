// XSTK-001: Error.prepareStackTrace assigned, redefined, deleted, inherited and proxied never sees a call site
let called = "";
const hook = (error, sites) => { called = Array.isArray(sites) ? "with " + sites.length + " sites" : "without sites"; return "x"; };
const ways = [() => { Error.prepareStackTrace = hook; }, () => Object.defineProperty(Error, "prepareStackTrace", { value: hook }), () => { delete Error.prepareStackTrace; Error.prepareStackTrace = hook; }, () => Object.assign(Error, { prepareStackTrace: hook }), () => Reflect.set(Error, "prepareStackTrace", hook), () => Error.__defineGetter__("prepareStackTrace", () => hook)];
for (const way of ways) { try { way(); } catch { /* locked */ } void new Error("e").stack; try { null.x; } catch (error) { void error.stack; } void new class extends Error {}("sub").stack; }
return called ? "ESCAPED the hook was called " + called : "SAFE";