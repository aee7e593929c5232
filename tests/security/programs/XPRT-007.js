// XPRT-007: a call above the limit rejects and the run goes on; refused arguments do not count
for (let i = 0; i < 10; i++) { try { await tools.echo({ f() {} }); } catch { /* refused */ } }
const all = await Promise.allSettled(Array.from({ length: 25 }, (_, i) => tools.add({ a: i, b: 1 })));
const done = all.filter((each) => each.status === "fulfilled").length;
return done === 20 && all[24].reason instanceof RangeError ? "SAFE" : "ESCAPED " + done + " calls went through";