// XCPU-004: a catastrophic match in replace, split, matchAll and a sticky lookbehind
const s = "a".repeat(40) + "!"; s.replace(/(?<=(a|aa)+)b|(a*)*c|(?:(a+)+)+$/g, "x"); return "ESCAPED";