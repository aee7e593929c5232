// MUT-011; protocol-forgery; at every depth of the stack a call gets a promise or the engine's own RangeError
const odd = new Set(); let full = 0;
const acts = [() => tools.add({ a: 1, b: 2 }), () => tools.echo(1), () => tools.echo(Symbol())];
for (const act of acts) for (let shift = 0; shift < 30; shift++) { let left = 3; const dive = () => { try { dive(); } catch {} if (left === 0) return; try { const p = act(); left--; p.catch(() => {}); } catch (e) { if (e instanceof RangeError) full++; else odd.add(e.message); } }; const from = () => dive(); from(...Array(shift)); }
return odd.size > 0 ? "ESCAPED " + [...odd].join() : full > 0 ? "SAFE" : "never near the limit";
