// XRES-003: a result deeper than the limit rejects that call alone, with the tool's name and the limit
let message; try { await tools.hostile({ kind: "deep" }); return "ESCAPED delivered"; } catch (error) { message = error.message; }
return /hostile/.test(message) && /200/.test(message) && (await tools.add({ a: 1, b: 2 })) === 3 ? "SAFE" : "ESCAPED " + message;