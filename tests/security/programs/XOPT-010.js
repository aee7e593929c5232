// XOPT-010: an options line with nothing but comments below it
// @options: {"timeout_ms": 1000}
// return "ESCAPED";
/* return "ESCAPED"; */