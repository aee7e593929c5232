// XDEP-005: an argument with more elements than a message may have is refused in the program
let message; try { await tools.echo(new Array(4194304 + 10).fill(0)); return "ESCAPED sent"; } catch (error) { message = error.message; }
return (await tools.add({ a: 1, b: 1 })) === 2 ? "SAFE " + message : "ESCAPED";