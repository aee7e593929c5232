// MUT-004; intrinsic-override; a patched then does not get the functions that end the run
const got = []; const { then } = Promise.prototype;
Promise.prototype.then = function (...both) { got.push(...both); return then.apply(this, both); };
await null; return got.length > 0 ? "ESCAPED " + got.length + " functions of the runtime" : "SAFE";
