// XIMP-003: a floating import() is nobody's fault but the program's: its rejection must not end the worker
import("node:fs");
import("data:text/javascript,1").then(() => text("ESCAPED loaded"));
for (let i = 0; i < 20; i++) await null;
return "SAFE " + (await tools.add({ a: 1, b: 1 }));