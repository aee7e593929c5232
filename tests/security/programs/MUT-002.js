// MUT-002; error-stack; frames of the runtime between frames of the program are not shown
const stacks = []; const see = () => { stacks.push(new Error("seen").stack); return 1; };
text({ get x() { return see(); } }); console.log({ toString: see, get y() { return see(); } }); await tools.echo({ get x() { return see(); } });
try { await tools.echo({ f() {} }); } catch (e) { stacks.push(e.stack); }
const names = stacks.flatMap((s) => s.split("\n").filter((l) => l.startsWith("    at "))).map((l) => l.trim().split(" ")[1]).filter((n) => !/^(see|get|async|program\.js:.*|Object\..*)$/.test(n));
return names.length > 0 ? "ESCAPED runtime frames: " + names.join() : "SAFE";
