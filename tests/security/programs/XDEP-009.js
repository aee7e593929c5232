// XDEP-009: keys of every size and a key that is almost the whole message
const sent = { "": 0, ["k".repeat(31)]: 1, ["k".repeat(32)]: 2, ["k".repeat(255)]: 3, ["k".repeat(256)]: 4, ["k".repeat(65535)]: 5, ["k".repeat(65536)]: 6, ["é".repeat(30000)]: 7, ["🙂".repeat(9)]: 8 };
const got = await tools.echo(sent);
return Object.keys(got).length === 9 && Object.keys(sent).every((key) => got[key] === sent[key]) ? "SAFE" : "ESCAPED damaged";