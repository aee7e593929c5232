// XDEP-007: a cause that is its own cause, and an aggregate that holds itself, are told once
const a = new Error("a"), b = new AggregateError([a], "b"); a.cause = b; b.errors.push(b); b.cause = a;
throw b;