// XSYN-007: declarations named like the API shadow it for this run and nothing else
const text = () => "mine", exit = 1, tools_ = globalThis.tools; let store = null; var load = 0; function console() {} class image {}
return text() === "mine" && exit === 1 && (await tools_.add({ a: 1, b: 1 })) === 2 ? "SAFE" : "ESCAPED";