// XSTO-001: a value of exactly the limit fits, one character more throws and leaves the old one
store("k", "x".repeat(262142)); let name; try { store("k", "y".repeat(262143)); } catch (error) { name = error.name; }
return name === "RangeError" && load("k").length === 262142 && load("k")[0] === "x" ? "SAFE" : "ESCAPED " + name + load("k").length;