// XRLM-003: bytes from a tool are a Uint8Array of the realm, its buffer belongs to nobody else
const got = await tools.echo({ b: new Uint8Array([1, 2, 3]) });
const bytes = got.b;
if (!(bytes instanceof Uint8Array) || !(bytes.buffer instanceof ArrayBuffer)) return "ESCAPED a foreign buffer";
const spare = bytes.buffer.byteLength - bytes.byteLength;
if (spare > 0) {
  const whole = new Uint8Array(bytes.buffer);
  let other = 0;
  for (let i = 0; i < whole.length; i++) if ((i < bytes.byteOffset || i >= bytes.byteOffset + 3) && whole[i] !== 0) other++;
  if (other > 0) return "ESCAPED " + other + " bytes of the input buffer are in reach";
}
return "SAFE " + bytes.join();