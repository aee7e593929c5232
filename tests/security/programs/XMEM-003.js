// XMEM-003: buffers in many small pieces: no more than the limit is ever held
const kept = []; let held = 0;
try { for (;;) { kept.push(new Uint8Array(64 * 1024).fill(1)); held += 64 / 1024; if (held > 300) return "ESCAPED " + held; } } catch (error) { kept.length = 0; return "SAFE refused at " + Math.round(held) + " by " + error.name; }