// XUNI-006: normalisation, case folding and confusable letters make no other tool, key or global
const wrong = []; for (const name of ["ｅcho", "ECHO", "еcho", "echo\u200b", "e\u0301cho", "ﬁnd"]) { if (tools[name] !== undefined) wrong.push(name); if ((await describeTool(name)) !== undefined) wrong.push("described " + name); }
store("\u00e9", 1); store("e\u0301", 2); const got = await tools.echo({ "\u00e9": 1, "e\u0301": 2 });
return wrong.length || load("\u00e9") !== 1 || got["e\u0301"] !== 2 ? "ESCAPED " + wrong.join() : "SAFE";