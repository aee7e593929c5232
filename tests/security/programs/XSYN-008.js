// XSYN-008: code from strings: the constructor of an async generator
return new (async function* () {}).constructor("return 'ESCAPED'")().next();