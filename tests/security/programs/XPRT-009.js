// XPRT-009: a getter that ends nothing and never returns leaves a frame half made, which counts for nothing
text("before"); await tools.echo({ a: "x".repeat(3000), get b() { text("inside"); for (;;); } });
return "ESCAPED";