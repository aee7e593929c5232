// XOUT-005: after the limit nothing else counts: no exit, no error, no value, no later text
try { text("z".repeat(2000)); } catch { /* caught */ }
try { exit(); } catch { /* over */ }
try { text("FORGED"); } catch { /* over */ }
try { store("k", 1); } catch { /* over */ }
throw new Error("ESCAPED");