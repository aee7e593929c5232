// XLIF-003: exit() while calls are open and after output and store writes that count
store("kept", 1); text("kept"); tools.hang({}); tools.slow({ ms: 5000 });
(async () => { try { exit(); } finally { text("ESCAPED"); } })();
await tools.hang({});