// XSTO-008: a value that shared parts, holes or a lying length make endless is refused at the limit
store("k", "old"); const names = [];
let pairs = 1; for (let i = 0; i < 30; i++) pairs = [pairs, pairs];
let objects = 1; for (let i = 0; i < 30; i++) objects = { a: objects, b: objects };
const liar = new Proxy([], { get: (target, key) => (key === "length" ? 2 ** 32 - 1 : key === "toJSON" ? undefined : 7) });
for (const value of [pairs, objects, Array(2 ** 32 - 1), liar]) { try { store("k", value); names.push("stored"); } catch (error) { names.push(error.name); } }
return names.join() === "RangeError,RangeError,RangeError,RangeError" && load("k") === "old" ? "SAFE" : "ESCAPED " + names.join();