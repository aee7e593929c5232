// XOPT-011: CR alone ends the options line: the program after it runs under its options
// @options: {"timeout_ms": 1500}return 1;