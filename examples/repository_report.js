// @options: {"max_output_tokens": 4000, "timeout_ms": 120000}
//
// A report over a repository: what it is made of, where the weight is, what is marked unfinished.
// Reads every source file, in parallel, and shows a page of text.
//
//   codepool run examples/repository_report.js --workspace .

const LANGUAGES = [
  { name: "Python", endings: ["py"], definition: /^\s*(?:async\s+def|def|class)\s+(\w+)/ },
  {
    name: "JavaScript",
    endings: ["js", "mjs", "cjs", "jsx"],
    definition: /^\s*(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:function\*?|class)\s+(\w+)/,
  },
  {
    name: "TypeScript",
    endings: ["ts", "tsx"],
    definition: /^\s*(?:export\s+)?(?:async\s+)?(?:function\*?|class|interface|type|enum)\s+(\w+)/,
  },
  {
    name: "Rust",
    endings: ["rs"],
    definition: /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:fn|struct|enum|trait)\s+(\w+)/,
  },
  { name: "Go", endings: ["go"], definition: /^(?:func(?:\s+\([^)]*\))?|type)\s+(\w+)/ },
  { name: "Markdown", endings: ["md"], definition: /^#{1,3}\s+(.+)/, isText: true },
];
const MARK = /(?:#|\/\/|\/\*|\*|<!--)\s*(TODO|FIXME|HACK|XXX)\b[:\s]*(.*)/;
const NOT_OURS = new Set(["node_modules", "vendor", "dist", "build", "target", "__pycache__"]);
const SHOWN = 10;

const languageOf = (path) => {
  const ending = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
  return LANGUAGES.find((language) => language.endings.includes(ending));
};
const isTest = (path) =>
  /(^|\/)(tests?|__tests__)\/|(^|\/)test_[^/]*$|[._](test|spec)\.\w+$/.test(path);
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const count = (number) => number.toLocaleString("en-US");

async function list(directory) {
  const entries = await tools.ls({ path: directory, depth: 64 });
  const prefix = directory === "." ? "" : `${directory}/`;
  return entries
    .filter((entry) => entry.type === "file")
    .map((entry) => ({ path: prefix + entry.name, bytes: entry.size }))
    .filter(({ path }) => !path.split("/").some((name) => NOT_OURS.has(name)));
}

async function listAll() {
  const top = await tools.ls({ path: "." });
  const directories = top.filter(({ name, type }) => type === "directory" && !NOT_OURS.has(name));
  const files = top
    .filter(({ type }) => type === "file")
    .map(({ name, size }) => ({ path: name, bytes: size }));
  const below = await Promise.all(directories.map(({ name }) => list(name)));
  return [...files, ...below.flat()];
}

async function examine({ path, bytes }) {
  const language = languageOf(path);
  let content;
  try {
    content = await tools.read({ path });
  } catch (error) {
    return { path, bytes, language, problem: error.message };
  }
  const lines = content.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return {
    path,
    bytes,
    language,
    lines: lines.length,
    blank: lines.filter((line) => line.trim() === "").length,
    definitions: lines.filter((line) => language.definition.test(line)).length,
    marks: lines.flatMap((line, index) => {
      const found = MARK.exec(line);
      return found ? [`${path}:${index + 1} ${found[1]} ${found[2].trim()}`] : [];
    }),
  };
}

function table(headings, rows) {
  const cells = [headings, ...rows].map((row) => row.map(String));
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => row[column].length)));
  const isNumber = headings.map((_, column) => rows.every((row) => /^[\d,.%]+$/.test(row[column])));
  const line = (row) =>
    row
      .map((cell, n) => (isNumber[n] ? cell.padStart(widths[n]) : cell.padEnd(widths[n])))
      .join("  ")
      .trimEnd();
  return cells.map(line).join("\n");
}

function byLanguage(examined) {
  const groups = Object.groupBy(examined, (file) => file.language.name);
  const rows = Object.entries(groups).map(([name, files]) => ({
    name,
    files: files.length,
    lines: sum(files.map((file) => file.lines)),
    blank: sum(files.map((file) => file.blank)),
    definitions: sum(files.map((file) => file.definitions)),
  }));
  rows.sort((a, b) => b.lines - a.lines);
  return table(
    ["language", "files", "lines", "blank", "definitions"],
    rows.map((row) => [
      row.name,
      count(row.files),
      count(row.lines),
      `${Math.round((100 * row.blank) / Math.max(row.lines, 1))}%`,
      count(row.definitions),
    ]),
  );
}

function testRatio(code) {
  const [tests, sources] = [true, false].map((wanted) =>
    code.filter((file) => isTest(file.path) === wanted)
  );
  const [testLines, sourceLines] = [tests, sources].map((files) => sum(files.map((f) => f.lines)));
  const ratio = sourceLines ? (testLines / sourceLines).toFixed(2) : "no";
  return `${count(sources.length)} source files with ${count(sourceLines)} lines, ` +
    `${count(tests.length)} test files with ${count(testLines)}: ` +
    `${ratio} lines of test for a line of source`;
}

const files = await listAll();
const examined = await Promise.all(files.filter(({ path }) => languageOf(path)).map(examine));
const read = examined.filter((file) => file.problem === undefined);
const code = read.filter((file) => !file.language.isText);
const largest = [...code].sort((a, b) => b.lines - a.lines).slice(0, SHOWN);
const marks = read.flatMap((file) => file.marks);
const problems = examined.filter((file) => file.problem !== undefined);

const sections = [
  `# Repository report\n\n${count(files.length)} files, ${count(sum(files.map((f) => f.bytes)))} ` +
  `bytes; ${count(read.length)} of them read as source or text.`,
  `## By language\n\n${byLanguage(read)}`,
  `## Largest modules\n\n${
    table(
      ["lines", "definitions", "module"],
      largest.map((file) => [count(file.lines), file.definitions, file.path]),
    )
  }`,
  `## Tests\n\n${testRatio(code)}.`,
  `## Marked unfinished: ${marks.length}\n\n${marks.slice(0, SHOWN).join("\n") || "nothing"}`,
];
if (problems.length) {
  const shown = problems.slice(0, SHOWN).map((file) => file.problem);
  sections.push(`## Not read: ${problems.length}\n\n${shown.join("\n")}`);
}
text(sections.join("\n\n"));
