// XPRT-008: a result object changed by one reader is not what another call or load gives
const first = await tools.echo({ list: [1], o: { p: 1 } });
first.list.push(2); first.o.p = "changed"; Object.freeze(first);
const second = await tools.echo({ list: [1], o: { p: 1 } });
const a = await searchTools("echo"); a.length = 0; const b = await searchTools("echo");
ALL_TOOLS.length = 0; const d = await describeTool("echo");
return second.list.length === 1 && second.o.p === 1 && b.length > 0 && typeof d === "string" ? "SAFE" : "ESCAPED shared state";