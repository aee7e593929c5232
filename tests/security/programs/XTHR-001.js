// XTHR-001: throw null
throw null;