// MUT-009; protocol-forgery; at every depth of the stack an API function works or throws an error of the realm, and books stay right
let made = 0, foreign = 0; const sums = []; const long = "é".repeat(300);
const acts = [() => text(long), () => console.log(long, { a: [long] }), () => store("k", long), () => load("k"), () => { const i = made; const p = tools.add({ a: i, b: 1, long }); made++; sums.push(p.then((v) => v === i + 1, () => true)); }, () => { searchTools(long).catch(() => {}); }];
for (let pad = 0; pad < 8; pad++) for (const act of acts) { let left = 40; const dive = (...a) => { try { dive(...a, ...Array(pad)); } catch {} if (left > 0) { left--; try { act(); } catch (e) { if (!(e instanceof Error)) foreign++; } } }; try { dive(1); } catch {} }
const right = (await Promise.all(sums)).every(Boolean); const n = await tools.add({ a: 20, b: 22 });
return right && foreign === 0 && n === 42 ? "SAFE" : "ESCAPED " + JSON.stringify({ right, foreign, n });
