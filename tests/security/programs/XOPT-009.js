// XOPT-009: the program's own time limit holds even where it is lower than the host's
// @options: {"timeout_ms": 600}
for (;;);