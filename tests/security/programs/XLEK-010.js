// XLEK-010: reader: symbols, statics of RegExp and template objects carry nothing over
const found = [globalThis[Symbol.for("mark")], Symbol.mark, RegExp.$1, RegExp.input, RegExp.lastMatch, globalThis.strings].filter((each) => each !== undefined && each !== "");
return found.length ? "ESCAPED " + found.length : "SAFE";