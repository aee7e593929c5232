// XAMB-008: waking up without a call: Atomics.waitAsync, Promise with a timer, AbortSignal, MessageChannel
const wakers = {
  waitAsync: () => Atomics.waitAsync(new Int32Array(new SharedArrayBuffer(8)), 0, 0, 5).value,
  abort: () => new Promise((resolve) => AbortSignal.timeout(5).addEventListener("abort", resolve)),
  timer: () => new Promise((resolve) => setTimeout(resolve, 5)),
  port: () => new Promise((resolve) => { const { port1, port2 } = new MessageChannel(); port1.onmessage = resolve; port2.postMessage(1); }),
  scheduler: () => scheduler.postTask(() => {}),
};
const worked = [];
for (const name of Object.keys(wakers)) { try { await wakers[name](); worked.push(name); } catch { /* absent */ } }
return worked.length ? "ESCAPED " + worked.join() : "SAFE";