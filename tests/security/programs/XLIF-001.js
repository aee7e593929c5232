// XLIF-001: exit() inside toJSON of the returned value ends the run without a value
return { a: 1, b: { toJSON() { exit(); return "ESCAPED"; } } };