// XOUT-007: base64 of images counts
const png = "data:image/png;base64," + new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, ...Array(1000).fill(1)]).toBase64();
for (let i = 0; i < 10; i++) image(png);
return "ESCAPED limit";