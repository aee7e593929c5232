// XOPT-006: NaN is not JSON, although Python reads it
// @options: {"timeout_ms": NaN}
return "ESCAPED";