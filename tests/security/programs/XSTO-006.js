// XSTO-006: a toJSON that stores, deletes and overwrites while its own value is stored cannot pass a limit
store("k", "old"); let inner = 0;
const value = { toJSON() { inner++; store("k", "inner"); store("a", "a".repeat(262000)); store("b", "b".repeat(262000)); store("c", "c".repeat(262000)); return "d".repeat(262000); } };
let full; try { store("k", value); store("e", "e".repeat(262000)); } catch (error) { full = error.name; }
const total = ["k", "a", "b", "c", "e"].reduce((sum, key) => sum + key.length + JSON.stringify(load(key) ?? "").length, 0);
return inner === 1 && full === "RangeError" && total <= 1048576 + 10 && load("k").length === 262000 ? "SAFE" : "ESCAPED " + inner + full + total;