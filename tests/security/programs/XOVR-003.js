// XOVR-003: the console's helpers: patched Date, Intl, RegExp, Map and Symbol see nothing and change nothing
const seen = [];
const spots = [[RegExp.prototype, "exec"], [RegExp.prototype, "test"], [RegExp.prototype, Symbol.replace], [RegExp.prototype, Symbol.split], [Map.prototype, "forEach"], [Set.prototype, "forEach"], [Map.prototype, "entries"], [Set.prototype, "has"], [Date.prototype, "toISOString"], [Date.prototype, "getTime"], [Date, "now"], [String.prototype, "padEnd"], [String.prototype, "repeat"], [String.prototype, "replaceAll"], [Number.prototype, "toString"], [Number.prototype, "toFixed"], [Function.prototype, "toString"], [Symbol.prototype, "toString"], [Error.prototype, "toString"], [Object.prototype, "toString"], [Object.prototype, "hasOwnProperty"]];
const undo = [];
for (const [holder, name] of spots) { const real = holder[name]; undo.push(() => { holder[name] = real; }); holder[name] = function (...args) { seen[seen.length] = String(name); return Reflect.apply(real, this, args); }; }
console.log("%s %d %i %f %j %o %O %c %%", "s", 1.5, 2, 3, {}, [], {}, "css"); console.log(new Map([[1, new Set([2])]]), new Date(0), /x/g, Symbol("s"), new Error("e"), () => 1, class A {}, 10n, -0);
console.table([{ a: 1, b: "x" }, { a: 2 }]); console.group("g"); console.count(); console.time(); console.timeEnd(); console.groupEnd(); console.dir({ a: { b: { c: {} } } }); console.assert(false, "no");
text({ d: new Date(0), m: new Map([["a", 1]]), s: new Set([1]), r: /x/ });
for (const each of undo) each();
return seen.length ? "ESCAPED the runtime used " + [...new Set(seen)].join() : "SAFE";