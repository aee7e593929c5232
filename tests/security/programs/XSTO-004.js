// XSTO-004: values are copies both ways, however the object is changed in between
const value = { a: [1], d: new Date(0) }; store("k", value); value.a.push(2); value.b = 1;
const first = load("k"); first.a.push(3); Object.defineProperty(first, "a", { value: null }); const second = load("k");
return JSON.stringify(second) === '{"a":[1],"d":"1970-01-01T00:00:00.000Z"}' ? "SAFE" : "ESCAPED " + JSON.stringify(second);