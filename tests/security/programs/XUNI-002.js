// XUNI-002: two keys that differ in halves of characters only do not become a way around each other
store("\ud800", 1); store("\udbff", 2); store("\ufffd", 3);
const got = await tools.echo({ "\ud800": 1, "\udbff": 2, "\ufffd": 3 });
return load("\ud800") === 3 && load("\ufffd") === 3 && Object.keys(got).join() === "\ufffd" ? "SAFE" : "ESCAPED " + JSON.stringify([load("\ud800"), got]);