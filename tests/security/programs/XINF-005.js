// XINF-005: random numbers of a reused process tell nothing about each other, and memory is not visible
const names = ["gc", "performance", "process", "Deno", "v8", "d8", "print", "quit", "version", "readbuffer", "console.memory"];
const found = names.filter((name) => name in globalThis); if (console.memory !== undefined || console.profile !== undefined || console.timeStamp?.length > 9) found.push("memory");
const draws = new Set(Array.from({ length: 1000 }, () => Math.random()));
return found.length || draws.size !== 1000 ? "ESCAPED " + found.join() : "SAFE";