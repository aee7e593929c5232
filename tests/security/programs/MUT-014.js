// MUT-014; proto-pollution; what the runtime makes of maps, errors and questions inherits nothing
const got = []; for (const name of ["k", "cause", "errors", "namespace"]) Object.defineProperty(Object.prototype, name, { configurable: true, get() {}, set() { got.push(name); } });
const v = await tools.echo({ m: new Map([["k", 1]]), e: new AggregateError([2], "a", { cause: 3 }) }); await searchTools("echo", { namespace: "n" }).catch(() => {});
const same = v.m.k === 1 && v.e.cause === 3 && v.e.errors[0] === 2;
return got.length === 0 && same ? "SAFE" : "ESCAPED " + got.join();
