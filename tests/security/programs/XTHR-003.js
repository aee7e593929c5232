// XTHR-003: throw a BigInt out of nested finally blocks
try { throw 1; } finally { try { throw 2; } finally { throw 10n; } }