// XSTK-007: Error itself replaced, shadowed and deleted: errors of the API stay errors
const kept = Error;
for (const way of [() => { globalThis.Error = class Fake {}; }, () => { delete globalThis.Error; }, () => { Object.defineProperty(globalThis, "TypeError", { value: class Fake {} }); }, () => { globalThis.RangeError = undefined; }, () => { Error.prototype.constructor = Object; }, () => { Object.setPrototypeOf(Error.prototype, null); }]) { try { way(); } catch { /* locked */ } }
const wrong = [];
try { await tools.fail({ message: "m" }); } catch (error) { if (!(error instanceof kept) || error.message !== "m") wrong.push("fail"); }
try { store(1, 1); wrong.push("stored"); } catch (error) { if (!(error instanceof kept)) wrong.push("store"); }
try { await tools.echo(Symbol("s")); wrong.push("sent"); } catch (error) { if (!(error instanceof kept)) wrong.push("echo"); }
return wrong.length ? "ESCAPED " + wrong.join() : "SAFE";