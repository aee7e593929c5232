// XRLM-010: Object, Array and Error made anew through newTarget, bound and revoked proxies of API functions
const foreign = [];
const revoked = (target) => { const { proxy, revoke } = Proxy.revocable(target, {}); return [proxy, revoke]; };
for (const target of [tools.echo, text, exit, console.log, describeTool, models.classify, Error.prepareStackTrace]) {
  if (typeof target !== "function") continue;
  for (const Base of [Object, Array, Error, Map, Uint8Array, Function.prototype.constructor]) {
    let made; try { made = Reflect.construct(Base, [], target); } catch (error) { if (!(error instanceof Error)) foreign.push("error"); continue; }
    if (!(made instanceof Object)) foreign.push(Base.name);
  }
  try { const [proxy, revoke] = revoked(target); revoke(); Reflect.construct(Object, [], proxy); } catch (error) { if (!(error instanceof TypeError)) foreign.push("revoked"); }
}
return foreign.length ? "ESCAPED " + foreign.join() : "SAFE";