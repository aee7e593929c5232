// Runs rows of a conformance file in the CodemodeSandbox of @earendil-works/pi-codemode.
//
//   node pi_codemode.mjs DIRECTORY < rows.jsonl > outcomes.jsonl
//
// DIRECTORY is where npm installed the package. Both files have one JSON object a line; an outcome
// is `{id, outcome}`, the outcome in the form of the document that docs/conformance.md compares.
// What pi has no word for (notes, causes, excerpts) is simply not in it.

import { resolve } from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";

const PACKAGE = "node_modules/@earendil-works/pi-codemode/dist/index.js";
const { CodemodeSandbox, CodemodeSourceError, parseCodemodeSource } = await import(
  pathToFileURL(resolve(process.argv[2], PACKAGE))
);

// A row without a limit of its own takes far less; one that hangs must not hold up the others.
const ROW_MS = 10_000;
// The memory of a row that names none: the default of the conformance file's limits.
const MEMORY_MIB = 256;

// Values of more levels than any row expects; readers of JSON give up on deep ones.
const MAX_DEPTH = 500;

const REASONS = {
  script: "Error",
  timeout: "Timeout",
  aborted: "Cancelled",
  sandbox: "Unavailable",
};

/** Run one row; resolves to its outcome, whatever the program does, within its time limit. */
async function run(row) {
  const limits = row.limits ?? {};
  const limitMs = limits.timeout_ms ?? ROW_MS;
  try {
    const { code, options } = parseCodemodeSource(row.source);
    const cancel = new AbortController();
    const sandbox = new CodemodeSandbox({
      tools: (row.tools ?? []).map((script) => tool(script, row.cancel_at_call, cancel)),
      memoryLimitBytes: (limits.memory_mib ?? MEMORY_MIB) * 2 ** 20,
    });
    return outcome(
      await sandbox.execute(code, {
        signal: cancel.signal,
        store: row.store,
        timeoutMs: Math.min(options.timeoutMs ?? limitMs, limitMs),
      }),
    );
  } catch (error) {
    if (error instanceof CodemodeSourceError) return refused(error);
    throw error;
  }
}

/** A tool that answers by its script: the replies in order, the last one again and again. */
function tool({ name, description, input_schema, output_schema, replies }, cancelAt, cancel) {
  const script = replies ?? [{ echo: true }];
  let calls = 0;
  return {
    name,
    description,
    inputSchema: input_schema,
    outputSchema: output_schema,
    async execute(args, { signal }) {
      if (name === cancelAt) cancel.abort();
      const reply = script[Math.min(calls++, script.length - 1)];
      await sleep(reply.delay_ms ?? 0, undefined, { signal });
      if (reply.hang) return new Promise(() => {});
      if (reply.echo) return args;
      // A name of the error would be lost: only the message reaches the program.
      if ("error" in reply) throw new Error(data(reply.error));
      return data(reply.ok);
    },
  };
}

/** Data of a script as JavaScript has it. */
function data(value) {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(data);
  const entries = Object.entries(value);
  if (entries.length === 1 && entries[0][0] === "$repeat") {
    return value.$repeat[0].repeat(value.$repeat[1]);
  }
  if (entries.length === 1 && entries[0][0] === "$nested") return nested(value.$nested);
  return Object.fromEntries(entries.map(([key, item]) => [key, data(item)]));
}

function nested(levels) {
  let value = [];
  for (let level = 1; level < levels; level++) value = [value];
  return value;
}

function outcome(result) {
  return {
    status: result.ok ? "completed" : "failed",
    reason: result.ok ? null : REASONS[result.error.kind],
    value: result.ok ? result.value : undefined,
    output: result.output.filter((item) => !item.console),
    console: result.output.filter((item) => item.console),
    error: result.ok ? null : described(result.error),
    calls: result.calls.map(({ name, status }) => ({ name, status })),
    store: result.ok ? result.storeWrites : {},
    notes: [],
  };
}

/** The program's file is `codemode.js` there and `program.js` here; nothing else is translated. */
function described({ kind, name, message, stack }) {
  const at = /codemode\.js:(\d+):(\d+)/.exec(stack ?? "");
  return {
    name: name ?? (kind === "script" ? "Error" : REASONS[kind]),
    message,
    line: at ? Number(at[1]) : null,
    column: at ? Number(at[2]) : null,
    stack: stack?.replaceAll("codemode.js", "program.js") ?? "",
  };
}

function refused({ message }) {
  const at = /line (\d+)/.exec(message);
  return {
    status: "failed",
    reason: "Error",
    output: [],
    console: [],
    error: { name: "SourceError", message, line: at ? Number(at[1]) : null },
    calls: [],
    store: {},
    notes: [],
  };
}

/** The same data, with a text in the place of what lies deeper than so many levels. */
function cut(value, levels) {
  if (typeof value !== "object" || value === null) return value;
  if (levels === 0) return `deeper than ${MAX_DEPTH} levels`;
  if (Array.isArray(value)) return value.map((item) => cut(item, levels - 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, cut(item, levels - 1)]),
  );
}

// Not readline: it takes U+2028 for the end of a line.
for (const line of (await text(process.stdin)).split("\n").filter(Boolean)) {
  const row = JSON.parse(line);
  const found = cut(await run(row), MAX_DEPTH);
  process.stdout.write(`${JSON.stringify({ id: row.id, outcome: found })}\n`);
}
// Tools that never answer must not keep the process; what is written must be out before.
process.stdout.end(() => process.exit());
