// XRET-005: numbers that JSON cannot say, minus zero, a hole and undefined
return [NaN, Infinity, -Infinity, -0, , undefined];