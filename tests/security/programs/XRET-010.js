// XRET-010: a cycle through a Map, an array and a getter
const map = new Map(); const list = [map]; map.set("list", { get again() { return list; } }); return list;