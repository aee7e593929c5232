// XOPT-002: an options line below the first line
const x = 1;
// @options: {"timeout_ms": 1}
return "ESCAPED";