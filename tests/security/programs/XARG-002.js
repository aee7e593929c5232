// XARG-002: numbers at the edges of their encodings arrive unchanged
const edges = [0, -1, 127, 128, 255, 256, 65535, 65536, -32, -33, -128, -129, -32768, -32769, 2 ** 31 - 1, 2 ** 31, -(2 ** 31), -(2 ** 31) - 1, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1, -(2 ** 53) + 1, 0.1, -0.5, 5e-324, 1.7976931348623157e308, 1e21, 2 ** 63, -(2 ** 63), 2 ** 64];
const back = await tools.echo({ edges });
const wrong = edges.filter((edge, i) => Number(back.edges[i]) !== edge);
return wrong.length ? "ESCAPED " + wrong.join() : "SAFE " + edges.length;