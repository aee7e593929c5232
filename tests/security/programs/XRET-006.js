// XRET-006: a then getter that throws when the end awaits the value
return { get then() { throw new Error("trap"); } };