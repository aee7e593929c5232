// XINF-003: names, sources and stacks of all that is reachable hold no path, user or version of the host
const seen = new Set(), queue = [globalThis]; let hit = "";
const bad = /\/(home|root|tmp|usr|work|opt|var|etc)\/|file:\/\/|site-packages|runtime_js|deno\b|\bnode:|python|x86_64|linux/i;
while (queue.length && !hit && seen.size < 30000) {
  const each = queue.pop();
  if (typeof each === "string") { if (bad.test(each) && !each.includes("site-packages|")) hit = bad.exec(each)[0]; continue; }
  if (each === null || (typeof each !== "object" && typeof each !== "function") || seen.has(each)) continue;
  seen.add(each);
  if (typeof each === "function") queue.push(each.name, String(each.toString === Function.prototype.toString ? "" : each));
  for (const key of Reflect.ownKeys(each)) { const own = Object.getOwnPropertyDescriptor(each, key); queue.push(String(key), own.value, own.get, own.set); }
  queue.push(Object.getPrototypeOf(each));
}
return hit ? "ESCAPED " + hit : "SAFE " + (seen.size > 500);