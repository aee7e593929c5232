// XRLM-004: the stack of a caught tool error, an overflow and a refused value names the program alone
const stacks = [];
try { await tools.fail({ message: "m" }); } catch (error) { stacks.push(error.stack); }
try { await tools.echo({ f() {} }); } catch (error) { stacks.push(error.stack); }
try { store("k", () => 1); } catch (error) { stacks.push(error.stack); }
try { text({ get a() { throw new Error("inner"); } }); } catch (error) { stacks.push(error.stack, error.cause?.stack); }
try { (function deep() { deep(); })(); } catch (error) { stacks.push(error.stack); }
try { image("nope"); } catch (error) { stacks.push(error.stack); }
const bad = /file:|node:|ext:|\.js:(?<!program\.js:)|codepool:|runtime|\/tmp|guest/.exec(stacks.join("\n"));
return stacks.length < 6 ? "ESCAPED nothing was refused" : bad ? "ESCAPED " + bad[0] : "SAFE";