// XLIF-013: the conversion of the returned value makes calls, rejections, output and writes: one end, and the writes count
store("k", 1);
return { toJSON() { Promise.reject(new Error("late")); tools.hang({}); text("counts"); store("k", 2); return load("k") === 2 ? "SAFE" : "ESCAPED"; } };
