// XRES-001: a result that looks like a thenable, an iterator, an error or a proxy handler stays data
const sent = { then: { call: 1 }, length: -1, next: { done: false }, "@@iterator": 1, get: 1, message: "m", stack: "file:///x", name: "Error", valueOf: 1, toString: 2, constructor: 3 };
const got = await tools.echo(sent);
const again = await got;
return again === got && Object.keys(got).length === 11 && got.toString === 2 && !(got instanceof Error) ? "SAFE" : "ESCAPED";