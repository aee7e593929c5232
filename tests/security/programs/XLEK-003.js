// XLEK-003: writer: leaves promises, open calls and functions of the API that would speak later
globalThis.late = text;
const speak = async () => { for (let i = 0; i < 200; i++) { await null; if (i < 10) continue; try { text("FROM RUN 1"); console.log("FROM RUN 1"); store("from", "FROM RUN 1"); } catch { /* over */ } } };
tools.slow({ ms: 30 }).then(() => { for (;;) text("FROM RUN 1"); }, speak).catch(() => {}); tools.hang({}).finally(speak).catch(() => {}); speak(); Promise.reject(new Error("late"));
store("own", 1);
return "SAFE written";