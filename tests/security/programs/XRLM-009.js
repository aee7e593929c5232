// XRLM-009: own constructors on promises of the API: subclassing, species and Promise.prototype.constructor by getter
const caught = [];
class Spy extends Promise { constructor(run) { super((resolve, reject) => { caught.push(resolve, reject); run(resolve, reject); }); } }
Object.defineProperty(Promise.prototype, "constructor", { configurable: true, get() { return Spy; } });
Object.defineProperty(Promise, Symbol.species, { configurable: true, get() { return Spy; } });
const first = await tools.echo({ a: 1 }); const second = await searchTools("echo"); const third = tools.add({ a: 1, b: 2 }).then((sum) => sum + 1);
const sum = await third;
const foreign = caught.filter((each) => !(each instanceof Function));
return foreign.length ? "ESCAPED foreign resolvers" : sum === 4 && first.a === 1 && second.length > 0 ? "SAFE" : "ESCAPED wrong results";