// XRES-002: lone surrogates, NUL, separators and the BOM arrive as the table says and go out again
const a = await tools.hostile({ kind: "surrogate" }); const b = await tools.hostile({ kind: "nul" });
text(a); text(b); console.log(a, b); store("a", a); store(b, b);
const back = await tools.echo({ a, [b]: b });
return a === "a\ufffdb" && back.a === a && back[b] === b && load(b) === b ? "SAFE" : "ESCAPED damaged " + JSON.stringify([a, back]);