// XMEM-004: a resizable buffer that reserves little and grows
const kept = []; let held = 0;
try { for (let i = 0; i < 20; i++) { const b = new ArrayBuffer(1024, { maxByteLength: 64 << 20 }); b.resize(64 << 20); new Uint8Array(b).fill(1); held += 64; kept.push(b); if (held > 500) return "ESCAPED " + held + " MiB"; } return "ESCAPED all"; } catch (error) { return "SAFE refused at " + held; }