// XMEM-006: split and Array.from that turn one string into a list of millions
const kept = []; for (;;) kept.push("ab".repeat(1 << 20).split(""), Array.from("cd".repeat(1 << 16)));