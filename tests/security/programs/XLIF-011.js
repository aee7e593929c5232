// XLIF-011: a cancel while the program floods its output
store("staged", 1); for (let i = 0; ; i++) { if (i < 200) text("x"); }