// XSTK-004: an overflow that nobody catches is an ordinary error of the program
const dive = (depth) => dive(depth + 1) + 1;
return "ESCAPED " + dive(0);