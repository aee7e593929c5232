// XMEM-008: BigInt that doubles its digits until memory ends
let b = 1n << 4096n; const kept = []; for (;;) { b = b << BigInt(1 << 22) | 1n; kept.push(b); }