// MUT-013; error-stack; nothing of the worker is below a program on the stack
const first = new Error("before").stack; await null; const then = new Error("after").stack;
return /\b(deliver|step|runImmediates)\b/.test(first + then) ? "ESCAPED " + first : "SAFE";
