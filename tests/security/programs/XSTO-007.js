// XSTO-007: escapes: a value whose JSON text is six times as long counts as long as its text
let name; try { store("k", "\u0001".repeat(50000)); } catch (error) { name = error.name; }
store("q", '"'.repeat(131000)); let more; try { store("q2", '"'.repeat(131073)); } catch (error) { more = error.name; }
return name === "RangeError" && more === "RangeError" && load("k") === undefined && load("q").length === 131000 ? "SAFE" : "ESCAPED " + name + more;