// XRES-004: a result larger than its limit rejects that call alone
let message; try { await tools.big({ n: 70000 }); return "ESCAPED delivered"; } catch (error) { message = error.message; }
const fits = await tools.big({ n: 60000 });
return fits.length === 60000 && /65536|result/.test(message) ? "SAFE" : "ESCAPED " + message;