// XLIF-008: what happens after the return does not count: late output, calls, writes, exit and throws
(async () => { for (let i = 0; i < 30; i++) await null; for (const act of [() => text("ESCAPED"), () => store("late", 1), () => tools.echo({}), () => exit(), () => { throw new Error("ESCAPED"); }]) { try { act(); } catch { /* over */ } } throw new Error("late"); })();
return 1;