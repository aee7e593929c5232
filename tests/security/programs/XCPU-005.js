// XCPU-005: a proxy that is asked for ever: prototype chain of proxies in an argument
const endless = new Proxy({}, { getPrototypeOf: () => endless, get: () => undefined, has: () => true, ownKeys: () => { for (;;); } });
await tools.echo({ endless }); return "ESCAPED";