// XLIF-015: exit() ends a run whose microtasks never end
(async () => { for (;;) await null; })();
(async () => { for (let i = 0; i < 50; i++) await null; exit(); })();
await tools.hang({});
