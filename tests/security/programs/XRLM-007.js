// XRLM-007: frames above an API callback: arguments.callee.caller of a getter, a trap and a toJSON
const frames = [];
function look() { try { for (let f = look.caller, i = 0; f && i < 10; f = f.caller, i++) frames.push(f); } catch { /* strict */ } return "x"; }
const sloppy = Object.defineProperty({}, "a", { enumerable: true, get: look });
try { await tools.echo(sloppy); } catch { /* refused */ }
try { text({ toJSON: look }); } catch { /* refused */ }
try { console.log(new Proxy({}, { ownKeys: () => { look(); return []; } })); } catch { /* refused */ }
await { then(resolve) { look(); resolve(); } };
const foreign = frames.filter((f) => !(f instanceof Function) || /host\(|ledger|writer\.send/.test(Function.prototype.toString.call(f)));
return foreign.length ? "ESCAPED a frame of the runtime" : "SAFE";