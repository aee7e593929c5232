// XRLM-005: static RegExp properties do not carry what the runtime or an earlier run matched last
/own(canary)/.exec("xowncanaryx");
text("some text"); console.log("%s %d", "a", 1); store("k", "v"); await searchTools("echo"); await describeTool("echo");
try { await tools.fail({ message: "secretmessage" }); } catch (error) { void error.stack; }
const left = [RegExp.$_, RegExp.$1, RegExp["$&"], RegExp.lastMatch, RegExp.leftContext, RegExp.rightContext];
return left[1] === "canary" && left[0] === "xowncanaryx" ? "SAFE" : "ESCAPED the runtime left " + JSON.stringify(left);