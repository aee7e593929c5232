/**
 * TypeScript to JavaScript: types become blanks, so nothing moves.
 *
 * The stripper of Node.js that Deno has is asked about what JavaScript does not accept, and about
 * calls with type arguments (`new Set<string>(names)`), which JavaScript takes for
 * comparisons. Other valid JavaScript it would change (`f(a < b, c > (d))`). It ends the process
 * when brackets nest too deeply.
 */

import process from "node:process";

/** @typedef {import("./compile.js").Refusal} Refusal */

// 3,000 levels are fine and 10,000 end the process, measured with Deno 2.9.8. What nests without
// brackets still can; the host takes that end of a worker for what it is.
const MAX_NESTING = 500;

const BRACKETS = ["([{", ")]}"];
const ANGLES = ["<", ">"];
const POSITION = / at \S+?:(\d+):(\d+)$/;

// Type arguments as formatted TypeScript has them, of one type that is named like a type: with its
// own arguments, an object without methods, arrays, unions. As JavaScript this compares a truth
// value; `f<a>(b)` and `f(a<b,c>(d))` are left to it.
const TYPE_ARGUMENTS =
  /[\w$]<(?:(?:[A-Z]|(?:string|number|boolean|bigint|symbol|object|unknown|any|void|never|null)\b)[\w$.]*(?:<[\w$.,|[\]\s]*>)?|\{[^<>(){}]*\})(?:\[\])*(?: \| [\w$.[\]]+)*>\(/g;

// Syntax that is more than types: how it is said, and what to write instead.
/** @type {[RegExp, string][]} */
const UNSUPPORTED = [
  [/\benum\b/, "TypeScript enums are not supported; use an object: const E = { A: 0, B: 1 }"],
  [/\bnamespace\b|\bmodule\b/, "TypeScript namespaces are not supported; use an object"],
  [/parameter property/, "TypeScript parameter properties are not supported; assign in the body"],
  [/angle-bracket/, "TypeScript casts with angle brackets are not supported; write `x as T`"],
  [/import/, "TypeScript `import x = …` is not supported; programs cannot load modules"],
  [/export/, "TypeScript `export =` is not supported; a program returns its result"],
];
const OTHER = "this TypeScript syntax is not supported; write JavaScript";

/** @type {((source: string) => string) | undefined} */
let strip;

/**
 * @param {string} source
 * @param {{start: number, end: number}} span Where its code lies.
 * @returns {{source: string} | {refusal: Refusal} | undefined} Undefined when it is not
 *   TypeScript either.
 */
export function withoutTypes(source, { end }) {
  if (nesting(source, BRACKETS) > MAX_NESTING || nesting(source, ANGLES) > MAX_NESTING) {
    return undefined;
  }
  const asProgram = attempt(source);
  if (asProgram !== undefined && !("refusal" in asProgram)) return asProgram;
  // A function without a name and an object are no statements.
  const asExpression = attempt(`(${source.slice(0, end)}\n)`);
  if (asExpression === undefined || "refusal" in asExpression) return asProgram;
  return { source: asExpression.source.slice(1, -2) + source.slice(end) };
}

/**
 * The same for a source that is JavaScript too: only calls with type arguments, nothing else of it.
 *
 * @param {string} source
 * @param {{start: number, end: number}} span
 * @returns {{source: string} | undefined} Undefined when it has none.
 */
export function withoutTypeArguments(source, span) {
  const most = source.replace(TYPE_ARGUMENTS, (all) => `${all[0]}${" ".repeat(all.length - 2)}(`);
  if (most === source) return undefined;
  const stripped = withoutTypes(source, span);
  if (stripped === undefined || "refusal" in stripped || stripped.source === source) {
    return undefined;
  }
  for (let i = 0; i < source.length; i++) {
    if (stripped.source[i] !== source[i] && most[i] === source[i]) return undefined;
  }
  return stripped;
}

/**
 * @param {string} source
 * @returns {{source: string} | {refusal: Refusal} | undefined}
 */
function attempt(source) {
  // Not imported: loading it takes 2 ms, and most workers never need it.
  strip ??= process.getBuiltinModule("node:module").stripTypeScriptTypes;
  try {
    return { source: strip(source) };
  } catch (error) {
    return unsupported(/** @type {Error} */ (error).message);
  }
}

/** @param {string} message */
function unsupported(message) {
  const position = POSITION.exec(message);
  // Without one it is a syntax error like any other, which the engine describes better.
  if (position === null) return undefined;
  const [, advice] = UNSUPPORTED.find(([pattern]) => pattern.test(message)) ?? [OTHER, OTHER];
  return {
    refusal: { message: advice, line: Number(position[1]), column: Number(position[2]) },
  };
}

/**
 * How deep brackets nest, in strings and comments too: too much rather than too little.
 *
 * @param {string} source
 * @param {string[]} pairs Characters that open, and those that close.
 */
function nesting(source, [opening, closing]) {
  let depth = 0;
  let deepest = 0;
  for (const char of source) {
    if (opening.includes(char)) deepest = Math.max(deepest, ++depth);
    else if (closing.includes(char) && depth > 0) depth--;
  }
  return deepest;
}
