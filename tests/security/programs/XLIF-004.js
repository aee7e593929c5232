// XLIF-004: a promise that nobody can settle is told at once, not at the deadline
await Promise.race([new Promise(() => {}), { then() {} }]); return "ESCAPED";