// XLEK-006: reader: finds the value as it was stored, and a copy of its own each time
const a = load("v"), b = load("v"); a.list.push("x");
return b.list.join() === "committed" && load("v").list.length === 1 ? "SAFE" : "ESCAPED " + b.list.join();