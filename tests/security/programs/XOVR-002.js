// XOVR-002: typed arrays and DataView: patched set, subarray, slice, fill and constructors see no bytes of frames
const seen = [];
const Typed = Object.getPrototypeOf(Uint8Array);
const spots = [[Typed.prototype, ["set", "subarray", "slice", "fill", "copyWithin", "at"]], [DataView.prototype, ["getUint32", "setUint32", "getFloat64", "setFloat64", "getUint8", "setUint8", "setBigUint64"]], [ArrayBuffer.prototype, ["slice", "resize", "transfer"]], [Uint8Array, ["from", "of", "fromBase64"]]];
const undo = [];
for (const [holder, names] of spots) for (const name of names) { const real = holder[name]; undo.push(() => { holder[name] = real; }); holder[name] = function (...args) { seen.push(name); return Reflect.apply(real, this, args); }; }
const RealArray = Uint8Array; globalThis.Uint8Array = class extends RealArray { constructor(...args) { super(...args); seen.push("new Uint8Array"); } };
const call = tools.echo({ b: new RealArray(64), s: "é".repeat(5000), n: 0.1 }); text("x".repeat(70000)); try { image("data:image/png;base64,iVBORw0KGgo="); } catch { /* refused */ }
const value = await call;
globalThis.Uint8Array = RealArray; for (const each of undo) each();
return seen.length ? "ESCAPED the runtime used " + [...new Set(seen)].join() : value.s.length === 5000 ? "SAFE" : "ESCAPED damaged";