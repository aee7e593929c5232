// XRLM-011: the await of a result by async generators, yield*, disposables and Array.fromAsync gives realm objects only
const foreign = [];
const check = (value) => { if (value !== null && (typeof value === "object" || typeof value === "function") && !(value instanceof Object)) foreign.push(typeof value); };
async function* feed() { yield tools.echo({ a: 1 }); try { yield tools.fail({ message: "m" }); } catch (error) { check(error); check(error.cause); } yield* [tools.add({ a: 1, b: 1 })]; }
try { for await (const each of feed()) check(each); } catch (error) { check(error); }
for (const each of await Promise.allSettled([tools.fail({ message: "x" }), searchTools(""), describeTool(1), models.classify()])) { check(each); check(each.reason); check(each.value); }
check(await Array.fromAsync(feed()).catch((error) => (check(error), [])));
return foreign.length ? "ESCAPED" : "SAFE";