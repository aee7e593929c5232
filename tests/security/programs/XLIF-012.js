// XLIF-012: exit() with almost no stack left still ends the run successfully
const dive = () => { try { dive(); } finally { exit(); } };
try { dive(); } catch { /* over or overflow */ }
for (let i = 0; i < 3; i++) { try { exit(); } catch { /* over */ } }
for (;;) await null;