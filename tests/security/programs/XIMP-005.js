// XIMP-005: import() from a function of the program called by the runtime: getter, toJSON, then, comparator
const loaded = [];
const attempt = async () => { try { await import("node:process"); loaded.push("process"); } catch { /* refused */ } };
const works = [];
try { text({ get a() { works.push(attempt()); return 1; } }); } catch { /* nothing */ }
try { store("k", { toJSON() { works.push(attempt()); return 1; } }); } catch { /* nothing */ }
try { console.table([{ toString() { works.push(attempt()); return ""; } }]); } catch { /* nothing */ }
await { then(resolve) { works.push(attempt()); resolve(); } };
await tools.echo({ get a() { works.push(attempt()); return 1; } });
await Promise.all(works);
return loaded.length ? "ESCAPED" : "SAFE " + (works.length >= 4);