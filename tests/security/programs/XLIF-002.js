// XLIF-002: exit() in a comparator, a replacer, a trap and a getter is final in each of them
const acts = [() => [2, 1].sort(() => exit()), () => "a".replace(/a/, () => exit()), () => ({ ...new Proxy({}, { ownKeys: () => exit() }) })];
for (const act of acts) { try { act(); } catch { /* over */ } }
try { text("ESCAPED"); } catch { /* over */ }
return "ESCAPED";