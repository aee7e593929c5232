// Compiles rendered declarations: `node typescript_check.mjs NODE_MODULES < ROWS > VERDICTS`.
//
// A row of JSON Lines is {id, code, type, accept, reject}: `code` must compile by itself, each value
// of `accept` must fit the type `type`, and none of `reject` may. A verdict is {id, faults}.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";

const require = createRequire(resolve(process.argv[2], "typescript"));
const ts = require("typescript");

const FILE = "row.ts";
const OPTIONS = { strict: true, noEmit: true, target: ts.ScriptTarget.ES2020, types: [] };
const host = ts.createCompilerHost(OPTIONS);
const library = new Map();

/** Positions in `text` at which the compiler finds fault. */
function faults(text) {
  const source = ts.createSourceFile(FILE, text, OPTIONS.target);
  const program = ts.createProgram([FILE], OPTIONS, {
    ...host,
    getSourceFile(name, target) {
      if (name === FILE) return source;
      if (!library.has(name)) library.set(name, host.getSourceFile(name, target));
      return library.get(name);
    },
  });
  return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]
    .map(({ start, messageText }) => ({
      start,
      text: ts.flattenDiagnosticMessageText(messageText, " "),
    }));
}

function judge({ id, code, type, accept = [], reject = [] }) {
  let text = `${code}\nexport {};\n`;
  const end = text.length;
  const spans = [];
  for (const [wanted, values] of [["accepted", accept], ["rejected", reject]]) {
    for (const value of values) {
      const start = text.length;
      text += `export const v${spans.length}: ${type} = ${expression(value)};\n`;
      spans.push({ wanted, value, start, end: text.length });
    }
  }
  const found = faults(text);
  const own = found.filter(({ start }) => start < end).map(({ text }) => text);
  const wrong = spans.filter(({ wanted, start, end }) =>
    found.some((fault) => fault.start >= start && fault.start < end) === (wanted === "accepted")
  );
  return {
    id,
    faults: [
      ...own,
      ...wrong.map(({ wanted, value }) => `not ${wanted}: ${JSON.stringify(value)}`),
    ],
  };
}

/** A JSON value as an expression; `__proto__` in brackets, where it is a key like any other. */
function expression(value) {
  if (Array.isArray(value)) return `[${value.map(expression).join(", ")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  return `{${
    Object.entries(value).map(([key, each]) => `[${JSON.stringify(key)}]: ${expression(each)}`)
      .join(", ")
  }}`;
}

for (const row of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  process.stdout.write(`${JSON.stringify(judge(JSON.parse(row)))}\n`);
}
