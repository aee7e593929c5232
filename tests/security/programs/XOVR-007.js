// XOVR-007: iterator protocols taken over: Array, Map, Set and String iteration throw, the runtime goes on
const map = new Map([["k", 1]]), set = new Set(["e"]);
const boom = () => { throw new Error("iterated"); };
const spots = [[Array.prototype, Symbol.iterator], [Map.prototype, Symbol.iterator], [Set.prototype, Symbol.iterator], [String.prototype, Symbol.iterator], [Object.getPrototypeOf([][Symbol.iterator]()), "next"], [Object.getPrototypeOf(map.entries()), "next"], [Object.getPrototypeOf(set.values()), "next"], [Object.getPrototypeOf(""[Symbol.iterator]()), "next"]];
const real = []; let failed = "", call, ask;
for (let i = 0; i < spots.length; i++) { real[i] = spots[i][0][spots[i][1]]; spots[i][0][spots[i][1]] = boom; }
const run = (name, act) => { try { act(); } catch (error) { failed += name + " "; } };
run("text", () => text({ a: [1], map, set })); run("console", () => console.log("%s", [1], map, set)); run("table", () => console.table([{ a: 1 }]));
run("store", () => store("k", { a: [1] })); run("call", () => { call = tools.echo({ a: [1], map, set }); }); run("search", () => { ask = searchTools("echo"); });
let value, found; try { value = await call; found = await ask; } catch (error) { failed += error.message; }
for (let i = 0; i < spots.length; i++) spots[i][0][spots[i][1]] = real[i];
return failed ? "ESCAPED the runtime iterates: " + failed : value.a[0] === 1 && found.length > 0 ? "SAFE" : "ESCAPED wrong";