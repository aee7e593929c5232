// XMEM-002: flat strings that share nothing
const kept = []; for (let i = 0; ; i++) { const s = i + "ab".repeat(1 << 19); kept.push(s); s.charCodeAt(s.length - 1); /x$/.test(s); }