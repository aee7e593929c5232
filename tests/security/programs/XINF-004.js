// XINF-004: errors of tools, of the store, of images and of the engine name no file of the host
const texts = [];
const keep = async (act) => { try { await act(); } catch (error) { for (let e = error, i = 0; e instanceof Error && i < 9; e = e.cause, i++) texts.push(e.name, e.message, e.stack); } };
await keep(() => tools.add({})); await keep(() => tools.hostile({ kind: "none" })); await keep(() => tools.big({ n: "many" })); await keep(() => tools.fail({})); await keep(() => tools.slow(null)); await keep(() => tools.hostile({ kind: "deep" }));
await keep(() => store("k", 1n)); await keep(() => image("file:///x")); await keep(() => searchTools("")); await keep(() => describeNamespace(5)); await keep(() => new Intl.DateTimeFormat("xx-invalid-locale-zz")); await keep(() => JSON.parse("{"));
const bad = /Traceback|\.py\b|\/(home|root|tmp|usr|work|opt)\/|site-packages|File "|s3cr3t|codepool:guest/.exec(texts.join("\n"));
return bad ? "ESCAPED " + bad[0] : texts.length > 20 ? "SAFE" : "ESCAPED nothing failed";