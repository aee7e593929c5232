// XTHR-002: throw a symbol
throw Symbol("s");