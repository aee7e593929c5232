// XMEM-009: results of tools count as the program's memory
const kept = []; for (;;) kept.push(await tools.big({ n: 24 << 20 }));