// XAMB-002: off-heap and shared memory: WebAssembly, SharedArrayBuffer, growable buffers that are shared
const found = [];
for (const name of ["WebAssembly", "SharedArrayBuffer", "Atomics"]) if (name in globalThis) found.push(name);
const buffer = new ArrayBuffer(8, { maxByteLength: 64 });
const kinds = [buffer, buffer.transfer(16), structuredCloneOrNothing()].filter(Boolean);
function structuredCloneOrNothing() { try { return structuredClone(buffer); } catch { return undefined; } }
for (const each of kinds) if (Object.prototype.toString.call(each) !== "[object ArrayBuffer]") found.push("shared");
return found.length ? "ESCAPED " + found.join() : "SAFE " + kinds.length;