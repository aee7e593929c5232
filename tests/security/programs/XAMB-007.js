// XAMB-007: handles parked on the prototype chain of the global object
const found = [];
for (let each = globalThis; each !== null; each = Object.getPrototypeOf(each)) {
  for (const key of Reflect.ownKeys(each)) {
    if (/^(Deno|process|window|self|global|Window|EventTarget|__.*deno.*)$/i.test(String(key))) found.push(String(key));
  }
}
const tag = Object.prototype.toString.call(globalThis);
return found.length || /Window|global\b/.test(tag) && tag !== "[object Object]" && tag !== "[object global]" ? "ESCAPED " + found.join() + tag : "SAFE " + tag;