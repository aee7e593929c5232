// A worker that fails in one chosen way. The last argument says which; see the table at the end.

function frame(kind, ...fields) {
  const body = [0x92 + fields.length, 0xcf, 0, 0, 0, 0, 0, 0, 0, 0, kind, ...fields.flat()];
  return new Uint8Array([0, 0, body.length >> 8, body.length & 255, ...body]);
}

function text(value) {
  const bytes = new TextEncoder().encode(value);
  return [0xd9, bytes.length, ...bytes];
}

function hello({ protocol = 1, locale = navigator.language } = {}) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const fields = [text(Deno.version.deno), text(Deno.version.v8), text(zone), text(locale)];
  Deno.stdout.writeSync(frame(1, [protocol], ...fields));
}

function ready() {
  Deno.stdout.writeSync(frame(2, [0]));
}

const input = new Uint8Array(65536);

function wait() {
  return Deno.stdin.readSync(input) ?? 0;
}

function come_up() {
  hello();
  ready();
}

const modes = {
  ready() {
    come_up();
    while (wait()) ready();
  },
  wrong_version() {
    hello({ protocol: 99 });
    wait();
  },
  wrong_locale() {
    hello({ locale: "de-DE" });
    wait();
  },
  silent() {
    hello();
    wait();
  },
  garbage() {
    console.error("the last words");
    Deno.stdout.writeSync(new TextEncoder().encode("Download https://example.com/\n"));
    wait();
  },
  throws() {
    throw new Error("not today");
  },
  spin() {
    come_up();
    while (true);
  },
  garbage_after_input() {
    come_up();
    wait();
    Deno.stdout.writeSync(new Uint8Array(64));
    wait();
  },
  exit_after_input() {
    come_up();
    wait();
    Deno.exit(3);
  },
  // Writes 100 MB to standard error, then is ready.
  flood() {
    come_up();
    wait();
    const line = new TextEncoder().encode("x".repeat(65535) + "\n");
    for (let i = 0; i < 1600; i++) Deno.stderr.writeSync(line);
    Deno.stderr.writeSync(new TextEncoder().encode("the end\n"));
    ready();
    wait();
  },
  // Keeps 100 MiB of objects, then is ready.
  objects() {
    come_up();
    wait();
    const kept = [];
    for (let i = 0; i < 13_000_000; i++) kept.push(i + 0.5);
    ready();
    wait();
    return kept;
  },
};

modes[Deno.args[0]]();
