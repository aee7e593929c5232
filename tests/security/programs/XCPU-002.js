// XCPU-002: a giant sort whose comparator never agrees with itself
const list = Array.from({ length: 4e5 }, (_, i) => i); for (;;) list.sort(() => Math.random() - 0.5);