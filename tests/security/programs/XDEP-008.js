// XDEP-008: aggregates of aggregates: errors multiply and the report stays bounded
let level = Array.from({ length: 40 }, (_, i) => new Error("leaf " + i + "x".repeat(20000)));
for (let i = 0; i < 7; i++) level = Array.from({ length: 40 }, () => new AggregateError(level, "wide", { cause: level[0] }));
throw level[0];