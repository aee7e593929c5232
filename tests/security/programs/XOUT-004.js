// XOUT-004: one item too many, spread over text and all console methods
const acts = [() => text(""), () => console.log(), () => console.warn(), () => console.table([]), () => console.dir({}), () => console.error(""), () => console.assert(false), () => console.count(), () => console.group(""), () => console.timeLog()];
for (let i = 0; i < 200; i++) acts[i % acts.length]();
return "ESCAPED limit";