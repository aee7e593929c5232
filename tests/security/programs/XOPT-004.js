// XOPT-004: a boolean is no number of milliseconds
// @options: {"timeout_ms": true}
return "ESCAPED";