// XPRT-002: a call to a tool that exists on the host and was not offered, by every name it could have
const tried = [];
const act = async (name, work) => { try { tried.push(name + ":" + JSON.stringify(await work())); } catch { /* refused */ } };
await act("plain", () => tools.secret({}));
await act("own", () => tools.echo.call({ name: "secret" }, { name: "secret" }) && undefined);
await act("rename", () => { const f = tools.echo; Object.defineProperty(f, "name", { value: "secret" }); return tools.secret(); });
await act("reflect", () => Reflect.get(tools, "secret", { secret: tools.echo })({}));
await act("describe", async () => { const found = await describeTool("secret"); if (found !== undefined) return "described"; throw 0; });
const leaked = tried.filter((each) => !/^own:/.test(each) && each !== "rename:undefined");
const listed = ALL_TOOLS.some((each) => each.name === "secret") || (await searchTools("secret")).some((each) => each.name === "secret");
return leaked.length || listed ? "ESCAPED " + leaked.join() : "SAFE";