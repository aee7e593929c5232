// XLIF-005: thousands of unhandled rejections become a few notes
for (let i = 0; i < 3000; i++) Promise.reject(i % 2 ? new Error("n" + i) : { toString() { throw 1; } });
await tools.add({ a: 1, b: 1 });
return "SAFE";