// XPRP-005: a returned object stays what it was when built-in prototypes gained enumerable members
Object.prototype.extra = "FROM PROTOTYPE"; Array.prototype.extra = "FROM PROTOTYPE"; Error.prototype.extra = "FROM PROTOTYPE"; Map.prototype.extra = "FROM PROTOTYPE";
const got = await tools.echo({ a: [1], e: new Error("m"), m: new Map([["k", 1]]) });
store("s", { a: 1 });
const kept = Object.keys(load("s")).join();
const shown = [...Object.keys(got), ...Object.keys(got.e), ...Object.keys(got.m)].join();
return shown === "a,e,m,name,message,k" && kept === "a" ? "SAFE" : "ESCAPED " + shown + " " + kept;