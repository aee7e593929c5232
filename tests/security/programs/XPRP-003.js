// XPRP-003: __proto__ as an own key of a Map, an entry, a parsed object and a computed key is data both ways
const own = { ["__proto__"]: { polluted: 1 }, a: 1 };
const sent = { map: new Map([["__proto__", { polluted: 2 }]]), own, entries: Object.fromEntries([["__proto__", 3], ["constructor", 4]]) };
const got = await tools.echo(sent);
const data = Object.getOwnPropertyDescriptor(got.own, "__proto__")?.value;
const polluted = [{}.polluted, got.polluted, got.own.polluted, got.map.polluted, [].polluted].some((each) => each !== undefined);
return polluted ? "ESCAPED polluted" : data?.polluted === 1 && Object.hasOwn(got.map, "__proto__") && got.entries.constructor === 4 ? "SAFE" : "ESCAPED lost data";