// XPRT-004: calls made inside the encoding of another call keep their own arguments, order and answers
const inner = [];
const nest = (depth) => ({ depth, get next() { if (depth > 0) inner.push(tools.echo(nest(depth - 1))); text("level " + depth); console.log(depth); return "end"; }, tail: "t".repeat(2000) });
const outer = await tools.echo(nest(12));
const depths = [];
for (let i = 0; i < inner.length; i++) depths.push((await inner[i]).depth);
depths.sort((a, b) => a - b);
return outer.depth === 12 && outer.tail.length === 2000 && depths.join() === "0,1,2,3,4,5,6,7,8,9,10,11" ? "SAFE" : "ESCAPED crossed " + outer.depth + " " + depths.join();