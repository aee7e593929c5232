// XSYN-005: nothing runs before the whole is known to parse
text("ESCAPED early"); store("early", 1); await tools.echo({}); exit();
const x = ;