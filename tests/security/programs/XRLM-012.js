// XRLM-012: the promise of the program itself is not followed through constructors that the program put in its way
const made = [];
class Spy extends Promise { constructor(run) { super(run); made.push(run); } }
Object.defineProperty(Promise.prototype, "constructor", { configurable: true, get() { return Spy; } });
for (let i = 0; i < 5; i++) await null;
return made.length ? "ESCAPED the runtime made " + made.length + " promises with it" : "SAFE";