// XOUT-001: the returned value counts: it alone is too large
return "x".repeat(1001);