// XOPT-005: a fraction, however small
// @options: {"timeout_ms": 1000.5}
return "ESCAPED";