// XDEP-003: a chain of toJSON that each answer with another object of the same kind ends at a limit
let made = 0;
class Again { toJSON() { made++; return { next: new Again() }; } }
const ends = [];
for (const act of [() => tools.echo({ a: new Again() }), () => store("k", new Again()), () => text(new Again())]) { try { await act(); ends.push("went through"); } catch (error) { ends.push(error instanceof Error ? "refused" : "odd"); } }
return ends.join() === "refused,refused,refused" && made < 5000 ? "SAFE" : "ESCAPED " + ends.join() + made;