// XSTK-008: a sourceURL and a sourceMappingURL of the program rename no frame to a host path and load nothing
const place = () => { try { null.x; } catch (error) { return error.stack; } };
const stack = place();
return /etc\/passwd|127\.0\.0\.1|file:/.test(stack) ? "ESCAPED " + stack.split("\n")[1] : "SAFE";
//# sourceURL=file:///etc/passwd
//# sourceMappingURL=http://127.0.0.1:9/x.map