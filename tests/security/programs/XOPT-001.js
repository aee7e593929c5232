// XOPT-001: an option that no program may set
// @options: {"memory_mib": 100000, "timeout_ms": 1000}
return "ESCAPED";