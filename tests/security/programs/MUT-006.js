// MUT-006; lifecycle; a getter of the error that ends the run adds nothing to it
const e = new Error(); let says = "nothing";
Object.defineProperty(e, "message", { get() { for (const act of [() => text("ESCAPED"), () => console.log("ESCAPED"), () => store("k", 1), () => tools.echo("ESCAPED")]) { try { act(); says = "ESCAPED"; } catch {} } return says; } });
throw e;
