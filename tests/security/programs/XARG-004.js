// XARG-004: an array that shrinks, grows or changes type while it is encoded
const results = [];
const grow = [1, { get x() { for (let i = 0; i < 1000; i++) grow.push(i); return 1; } }, 3];
const shrink = [{ get x() { shrink.length = 1; return 1; } }, 2, 3];
const keys = { a: { get x() { delete keys.b; keys.c = 1; return 1; } }, b: 2 };
const bytes = new Uint8Array(8); const holder = { get first() { bytes.buffer.transfer(); return 1; }, bytes };
for (const value of [grow, shrink, keys, holder]) { try { await tools.echo({ value }); results.push("sent"); } catch (error) { results.push(error instanceof Error ? "refused" : "odd"); } }
return results.includes("odd") || (await tools.add({ a: 2, b: 2 })) !== 4 ? "ESCAPED " + results.join() : "SAFE";