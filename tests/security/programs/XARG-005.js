// XARG-005: detached, resized and length-tracking buffers as bytes
const results = [];
const detached = new Uint8Array(4); detached.buffer.transfer();
const buffer = new ArrayBuffer(8, { maxByteLength: 16 }); const tracking = new Uint8Array(buffer, 4); const fixed = new Uint8Array(buffer, 4, 4); buffer.resize(4);
const view = new DataView(new ArrayBuffer(8), 2, 3);
for (const value of [detached, tracking, fixed, view, new Float16Array([1]), new BigInt64Array([1n])]) { try { const { v } = await tools.echo({ v: value }); results.push(v instanceof Uint8Array ? v.length : typeof v); } catch (error) { results.push(error instanceof Error ? "refused" : "odd"); } }
return results.includes("odd") || results[3] !== 3 || results[4] !== 2 || results[5] !== 8 ? "ESCAPED " + results.join() : "SAFE " + results.join();