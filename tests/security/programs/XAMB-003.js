// XAMB-003: garbage collection made visible: WeakRef, FinalizationRegistry, and their prototypes through other objects
const seen = new Set(), queue = [globalThis];
const hits = new Set();
while (queue.length && seen.size < 20000) {
  const each = queue.pop();
  if ((typeof each !== "object" && typeof each !== "function") || each === null || seen.has(each)) continue;
  seen.add(each);
  let keys = [];
  try { keys = Reflect.ownKeys(each); } catch { continue; }
  for (const key of keys) {
    const own = Object.getOwnPropertyDescriptor(each, key);
    if (key === "deref" || key === "unregister" || own?.value === "WeakRef" || own?.value === "FinalizationRegistry") hits.add(String(key));
    for (const next of [own?.value, own?.get, own?.set]) queue.push(next);
  }
  queue.push(Object.getPrototypeOf(each));
}
return hits.size ? "ESCAPED " + [...hits].join() : "SAFE " + (seen.size > 100);