// The least a worker can do: read 64 bytes, write them back, until the pipe ends.
const buffer = new Uint8Array(64);
for (;;) {
  const count = Deno.stdin.readSync(buffer);
  if (count === null) break;
  Deno.stdout.writeSync(buffer.subarray(0, count));
}
