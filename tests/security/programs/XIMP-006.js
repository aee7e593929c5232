// XIMP-006: a static import declaration at the top of the program
import process from "node:process";
return "ESCAPED " + process.pid;