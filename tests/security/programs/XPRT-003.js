// XPRT-003: a thrown getter in the middle of an argument leaves no half frame and takes no number
const bad = () => ({ a: "x".repeat(5000), b: [1, 2, { get c() { throw new Error("mid"); } }] });
const before = await tools.count({});
for (let i = 0; i < 30; i++) { try { await tools.echo(bad()); return "ESCAPED delivered"; } catch { /* refused */ } try { text(bad()); } catch { /* refused */ } try { await tools.echo([{ x: 1n << 70n, y: Symbol("s") }]); } catch { /* refused */ } }
const after = await tools.count({});
return after === before + 1 ? "SAFE " + after : "ESCAPED the host saw " + (after - before - 1) + " calls too many";