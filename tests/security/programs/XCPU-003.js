// XCPU-003: a getter of the thrown error that never returns
const error = new Error("x"); Object.defineProperty(error, "message", { get() { for (;;); } }); throw error;