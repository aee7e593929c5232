// XPRT-006: a run makes at most as many calls as it may, however they are made
let made = 0;
for (;;) { await tools.add({ a: made++, b: 0 }); }