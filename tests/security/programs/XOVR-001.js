// XOVR-001: decoding of results: patched TextDecoder-like, String.fromCharCode, Array and Object helpers see no frame
const seen = [];
const patched = [[String, "fromCharCode"], [String, "fromCodePoint"], [Object, "defineProperty"], [Object, "keys"], [Object, "create"], [Object, "assign"], [Object, "freeze"], [Array, "from"], [Array, "of"], [Array, "isArray"], [JSON, "parse"], [JSON, "stringify"], [Number, "isInteger"], [Number, "isSafeInteger"], [Reflect, "ownKeys"], [Reflect, "defineProperty"], [Reflect, "get"], [Math, "floor"], [Math, "min"]];
const real = patched.map(([holder, name]) => holder[name]);
patched.forEach(([holder, name], i) => { holder[name] = function (...args) { seen[seen.length] = name; return Reflect_apply(real[i], this, args); }; });
var Reflect_apply = Reflect.apply;
const call = tools.echo({ list: [1, { b: "x" }], n: 1.5 }); text({ a: [1] }); console.log({ a: 1 }); store("k", { a: 1 }); load("k");
const value = await call; const found = await searchTools("echo");
patched.forEach(([holder, name], i) => { holder[name] = real[i]; });
return seen.length ? "ESCAPED the runtime used " + [...new Set(seen)].join() : value.n === 1.5 && found.length ? "SAFE" : "ESCAPED wrong value";