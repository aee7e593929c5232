// MUT-003; intrinsic-override; a patched JSON has no part in what is stored
JSON.stringify = () => "1"; JSON.parse = () => "FORGED"; store("k", "mine"); store("o", { "a b": "c" });
const o = load("o"); return load("k") === "mine" && o["a b"] === "c" ? "SAFE" : "ESCAPED stored something else";
