// XTHR-006: name, message and stack that are objects, proxies and megabytes
const error = new RangeError("own text"); error.name = new Proxy({}, { get() { throw 1; } }); error.cause = Array.from({ length: 1e5 }, () => "c"); error.errors = new Proxy([], { get: (_, k) => (k === "length" ? 2 ** 32 - 1 : new Error("m")) });
throw error;