// XCPU-008: output that went out before the loop is kept, and the loop still ends at the deadline
text("before"); console.log("before"); store("k", 1); for (let i = 0n; ; i++);