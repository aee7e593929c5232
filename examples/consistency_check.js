// @options: {"timeout_ms": 60000}
//
// Do code and documents of this repository say the same? Returns every contradiction found.
//
//   codepool run examples/consistency_check.js --workspace .

const problems = [];
const report = (where, what) => problems.push(`${where}: ${what}`);

const MESSAGES = "pool/wire/messages.py";
const PROTOCOL = "docs/protocol.md";
const ERRORS = "pool/errors.py";

/** Members of a Python enum with integer values, by name. */
function enumMembers(source, name) {
  const body =
    new RegExp(`^class ${name}\\(\\w+\\):\\n((?:[ \\t]+.*\\n|\\n)+)`, "m").exec(source)?.[1] ?? "";
  return new Map([...body.matchAll(/^ {4}([A-Z_]+) = (\d+)$/gm)].map((m) => [m[1], Number(m[2])]));
}

/** Rows of the Markdown tables that begin with a number and a name in capitals. */
function numberedRows(markdown) {
  return new Map(
    [...markdown.matchAll(/^\| (\d+) \| ([A-Z]+) \|/gm)].map((m) => [m[2], Number(m[1])]),
  );
}

function compare(where, said, elsewhere, meant) {
  for (const [name, value] of meant) {
    if (!said.has(name)) report(where, `${name} (${value}) of ${elsewhere} is missing`);
    else if (said.get(name) !== value) {
      report(where, `${name} is ${said.get(name)}, ${elsewhere} has ${value}`);
    }
  }
  for (const name of said.keys()) {
    if (!meant.has(name)) report(where, `${name} does not exist in ${elsewhere}`);
  }
}

async function checkProtocol() {
  const [code, document] = await Promise.all(
    [MESSAGES, PROTOCOL].map((path) => tools.read({ path })),
  );
  const kinds = enumMembers(code, "Kind");
  compare(PROTOCOL, numberedRows(document), MESSAGES, kinds);
  const [, version] = /PROTOCOL_VERSION[^=]*= (\d+)/.exec(code) ?? [];
  if (!document.includes(`Protocol version: **${version}**`)) {
    report(PROTOCOL, `does not name protocol version ${version}`);
  }
  return kinds.size;
}

/** The tree drawn in the docstring against the classes below it. */
async function checkErrors() {
  const source = await tools.read({ path: ERRORS });
  const [, tree, ...code] = source.split('"""');
  const drawn = new Map(
    [...tree.matchAll(/([A-Z]\w+) {2,}([a-z_]+)(?: {2,}|$)/gm)].map((m) => [m[1], m[2]]),
  );
  const defined = new Map();
  for (
    const [, name, body] of code.join('"""').matchAll(
      /^class (\w+)\(\w+\):\n((?:[ \t]+.*\n|\n)*)/gm,
    )
  ) {
    const own = /^ {4}code(?:: ClassVar\[str\])? = "(\w+)"/m.exec(body);
    if (own) defined.set(name, own[1]);
    else report(ERRORS, `${name} has no code of its own`);
  }
  compare(`${ERRORS} (docstring)`, drawn, "the classes", defined);
  return defined.size;
}

/** Relative links of every document, and files named in backticks. */
async function checkLinks() {
  const [top, listed] = await Promise.all([
    tools.ls({}),
    tools.find({ path: "docs", pattern: "*.md" }),
  ]);
  const documents = [...top.map(({ name }) => name).filter((n) => n.endsWith(".md")), ...listed];
  const checked = await Promise.all(documents.map(async (document) => {
    const source = await tools.read({ path: document });
    const folder = document.split("/").slice(0, -1);
    const links = [...source.matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)/g)].map((m) =>
      resolve(folder, m[1])
    );
    const named = [
      ...source.matchAll(/`((?:pool|runtime_js|tests|docs|examples)\/[\w./-]+\.\w+)`/g),
    ].map((m) => m[1]);
    // NNNN stands for any number.
    const targets = [...new Set([...links, ...named])].filter((path) => !path.includes("NNNN"));
    await Promise.all(targets.map((target) => checkExists(document, target)));
    return targets.length;
  }));
  return checked.reduce((total, number) => total + number, 0);
}

function resolve(folder, link) {
  const steps = [...folder];
  for (const step of link.split("/")) {
    if (step === "..") steps.pop();
    else if (step !== "." && step !== "") steps.push(step);
  }
  return steps.join("/");
}

async function checkExists(document, path) {
  const folder = path.split("/").slice(0, -1).join("/") || ".";
  const name = path.split("/").at(-1);
  try {
    const entries = await tools.ls({ path: folder, hidden: true });
    if (!entries.some((entry) => entry.name === name)) {
      report(document, `names ${path}, which does not exist`);
    }
  } catch {
    report(document, `names ${path}, which does not exist`);
  }
}

const [kinds, errors, links] = await Promise.all([checkProtocol(), checkErrors(), checkLinks()]);
return { checked: { kinds, errors, links }, problems: problems.sort() };
