// XSTK-007: Error itself replaced, shadowed and deleted: errors of the API stay errors, and no stand-in is asked for their stack
const kept = Error, wrong = [];
class Fake { static prepareStackTrace() { wrong.push("hook"); return "FORGED"; } }
for (const way of [() => { globalThis.Error = Fake; }, () => Object.defineProperty(globalThis, "Error", { value: Fake }), () => { delete globalThis.Error; }, () => { Object.defineProperty(globalThis, "TypeError", { value: Fake }); }, () => { globalThis.RangeError = undefined; }, () => { kept.prototype.constructor = Fake; }, () => { Object.setPrototypeOf(kept.prototype, null); }]) {
  try { way(); } catch { /* locked */ }
  try { null.x; } catch (error) { void error.stack; }
}
try { await tools.fail({ message: "m" }); } catch (error) { if (!(error instanceof kept) || error.message !== "m" || error.stack.includes("FORGED")) wrong.push("fail"); }
try { store(1, 1); wrong.push("stored"); } catch (error) { if (!(error instanceof kept)) wrong.push("store"); }
try { await tools.echo(Symbol("s")); wrong.push("sent"); } catch (error) { if (!(error instanceof kept)) wrong.push("echo"); }
return wrong.length ? "ESCAPED " + wrong.join() : "SAFE";