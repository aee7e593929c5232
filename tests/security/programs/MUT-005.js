// MUT-005; intrinsic-override; a toJSON put on a prototype of the language is ignored
for (const C of [Object, Array, Map, Set, Error, RegExp, Uint8Array, Number, String, Boolean]) C.prototype.toJSON = () => "ESCAPED";
const v = await tools.echo({ a: [1], m: new Map([["k", 1]]), s: new Set([2]), e: new Error("m"), r: /x/, n: new Number(3) }); text(new Map([["k", 1]])); text([1]);
return v;
