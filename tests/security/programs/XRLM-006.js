// XRLM-006: inspection of hostile objects hands no function of the runtime to the program
const got = [];
const note = (...args) => { for (const arg of args) if (typeof arg === "function" || (typeof arg === "object" && arg !== null)) got.push(arg); return "shown"; };
const odd = { [Symbol.for("Deno.customInspect")]: note, [Symbol.for("Deno.privateCustomInspect")]: note, [Symbol.for("nodejs.util.inspect.custom")]: note, inspect: note, toString: note, toJSON: note, [Symbol.toPrimitive]: note };
console.log(odd, [odd], new Map([[odd, odd]])); console.dir(odd); console.table([odd]); console.log("%s %o %O %j %d", odd, odd, odd, odd, odd);
try { text(odd); } catch { /* refused */ }
const foreign = got.filter((each) => !(each instanceof Object));
const helpers = got.filter((each) => typeof each === "function" || Object.hasOwn(each, "stylize"));
return foreign.length || helpers.length ? "ESCAPED the runtime handed out " + typeof (foreign[0] ?? helpers[0]) : "SAFE";