// XINF-002: no clock is finer than a millisecond
const fine = [];
for (let i = 0; i < 50; i++) { if (Date.now() % 1) fine.push("Date"); if (Temporal.Now.instant().epochNanoseconds % 1000000n) fine.push("Temporal"); if (new Date().getTime() % 1) fine.push("new Date"); if (Temporal.Now.plainTimeISO().microsecond || Temporal.Now.zonedDateTimeISO().nanosecond) fine.push("plain"); }
for (const name of ["performance", "hrtime"]) if (name in globalThis) fine.push(name);
return fine.length ? "ESCAPED " + [...new Set(fine)].join() : "SAFE";