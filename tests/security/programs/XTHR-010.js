// XTHR-010: a SuppressedError out of `using`, with an error that ends in itself
const inner = new Error("inner"); inner.cause = inner;
throw new SuppressedError(inner, new SuppressedError(null, undefined, "deep"), "suppressed");