// XRET-002: a symbol deep in a returned value is refused with its path
return { rows: [{ ok: 1 }, { bad: Symbol("x") }] };