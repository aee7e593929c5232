// XSYN-001: a comment that never ends takes the rest of the wrapper, not of the process
return "ESCAPED"; /* open