// Tries one thing and says how it went: `worked`, or the error. Started with all permissions of
// Deno, so that only the kernel can refuse. Its arguments are the attempt and what it needs.

import process from "node:process";

const [name, ...args] = Deno.args;

/** A system call by number, through the C library; throws when it fails. */
function systemCall(...words) {
  const libc = Deno.dlopen("libc.so.6", {
    syscall: { parameters: Array(7).fill("i64"), result: "i64" },
  });
  while (words.length < 7) words.push(0);
  const result = libc.symbols.syscall(...words.map(BigInt));
  if (BigInt(result) === -1n) throw new Error("the system call failed");
}

const attempts = {
  nothing() {},
  read: (path) => Deno.readTextFileSync(path),
  list: (path) => [...Deno.readDirSync(path)],
  write: (path) => Deno.writeTextFileSync(path, "x"),
  append: (path) => Deno.writeTextFileSync(path, "x", { append: true }),
  make_directory: (path) => Deno.mkdirSync(path),
  remove: (path) => Deno.removeSync(path),
  rename: (path) => Deno.renameSync(path, `${path}.renamed`),
  link: (path) => Deno.symlinkSync("/", path),
  chmod: (path) => Deno.chmodSync(path, 0o777),
  touch: (path) => Deno.utimeSync(path, 0, 0),
  truncate: (path) => Deno.truncateSync(path, 0),
  watch: (path) => Deno.watchFs(path).close(),
  start: (path) => {
    const { code } = new Deno.Command(path).outputSync();
    if (code !== 0) throw new Error(`exit code ${code}`);
  },
  signal: (pid) => Deno.kill(Number(pid), "SIGCONT"),
  tcp_connect: (port) => Deno.connect({ hostname: "127.0.0.1", port: Number(port) }),
  tcp_listen: () => Deno.listen({ hostname: "127.0.0.1", port: 0 }).close(),
  udp: () => Deno.listenDatagram({ hostname: "127.0.0.1", port: 0, transport: "udp" }).close(),
  unix_connect: (path) => Deno.connect({ transport: "unix", path }),
  unix_listen: (path) => Deno.listen({ transport: "unix", path }).close(),
  system_call: (...words) => systemCall(...words),

  abort: () => process.abort(),

  /** Turn the event loop: what Deno starts late must live under the filter, too. */
  async live(ms) {
    const end = performance.now() + Number(ms);
    while (performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 5));
  },
};

try {
  await attempts[name](...args);
  console.log("worked");
} catch (error) {
  console.log(`${error}`);
}
Deno.exit(0);
