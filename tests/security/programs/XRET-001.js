// XRET-001: a Map with keys of every kind, a Set inside and the table's form of both
return new Map([[1, 2], [3, new Set([4]).values().next().value]]);