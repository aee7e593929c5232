// XMEM-005: an array that claims its length at once and is then filled with objects
const list = []; list.length = 3e7; for (let i = 0; i < list.length; i++) list[i] = [i]; return "ESCAPED";