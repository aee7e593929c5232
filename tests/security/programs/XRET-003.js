// XRET-003: a forgotten await inside the value
return { rows: [tools.add({ a: 1, b: 1 })] };