// XSTO-002: keys count: a key of a megabyte does not fit, an empty one does
let refused = 0; for (const n of [1048576, 1048575, 1048574]) { try { store("k".repeat(n), 12); store("k".repeat(n), undefined); } catch (error) { if (error instanceof RangeError) refused++; } }
store("k".repeat(1048574 - 100), 1); store("", 2); let full; try { store("more", "z".repeat(200)); } catch (error) { full = error.name; }
return refused === 2 && load("") === 2 && full === "RangeError" ? "SAFE" : "ESCAPED " + refused + full;