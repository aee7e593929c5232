// XMEM-001: plain objects until the heap is full
const kept = []; for (let i = 0; ; i++) kept.push({ i, name: "n" + i, list: [i, i + 1] });