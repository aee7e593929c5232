// XLEK-004: reader: nothing of the run before speaks in this one, answers to its calls included
const first = await tools.slow({ ms: 80 });
const counted = await tools.count({});
return first === "slow" && counted === 2 && load("from") === undefined && load("own") === 1 && globalThis.late === undefined ? "SAFE" : "ESCAPED " + counted + load("from");