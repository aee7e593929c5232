/**
 * What models write where the body of a function belongs, made into one: a lone function, one
 * behind `export default`, a single expression, TypeScript.
 *
 * There is no parser here but the engine's. What it accepts as a body stays a body, unless all of
 * it is one function or one expression; nothing is tried that could change what a program means.
 * Everything keeps its place: what is taken out becomes blanks.
 */

import { BODY, CALLED, compile, EXPRESSION, parses } from "./compile.js";
import { withoutTypeArguments, withoutTypes } from "./typescript.js";

/** @typedef {import("./compile.js").Refusal} Refusal */
/** @typedef {{start: number, end: number}} Span Where the code of a source lies. */

/**
 * @typedef {object} Recovered
 * @property {import("node:vm").Script} script
 * @property {string[]} notes What was changed.
 * @property {string} valueNote To be added if the program gives a value.
 */

const CALLED_NOTE = "The function around the program was called.";
const EXPORT_NOTE = "`export default` was ignored.";
const TYPES_NOTE = "TypeScript syntax was removed.";
const VALUE_NOTE = "The value of the program's only expression was returned.";

const EXPORT = /export\s+default\b/y;
const NO_CODE = /(?:\s|\/\/.*|\/\*[^]*?\*\/)*/y;
const FUNCTION = /^(async[^\S\n\r]+)?function\b\s*[\w$\u0080-\uffff]*/;
const MAY_BE_ARROW = /^(?:async\b|\(|[\w$\u0080-\uffff]+\s*=>)/;
// With these a statement begins; `function` and `class` begin a declaration where both are possible.
const STATEMENT =
  /(?:const|let|var|if|for|while|do|try|switch|return|throw|break|continue|class|(?:async\s+)?function)\b/y;
const MAX_PARENTHESES = 4;

/**
 * @param {string} source
 * @param {Span} span
 * @returns {Recovered | {refusal: Refusal}}
 */
export function compileProgram(source, span) {
  const plain = compileForms(source, span);
  const stripped = "script" in plain
    ? withoutTypeArguments(source, span)
    : withoutTypes(source, span);
  if (stripped === undefined) return plain;
  if ("refusal" in stripped) return stripped;
  const typed = compileForms(stripped.source, span);
  if ("refusal" in typed) return "script" in plain ? plain : typed;
  return { ...typed, notes: [TYPES_NOTE, ...typed.notes] };
}

/**
 * @param {string} source
 * @param {Span} span
 * @returns {Recovered | {refusal: Refusal}}
 */
function compileForms(source, span) {
  const body = compile(source, BODY);
  if ("refusal" in body && startsAt(EXPORT, source, span.start)) {
    return compileExported(source, span) ?? body;
  }
  const expression = compileLoneFunction(source, span) ?? compileExpression(source, span, body);
  if (expression !== undefined) return expression;
  return "script" in body ? { ...body, notes: [], valueNote: "" } : body;
}

/**
 * @param {string} source
 * @param {Span} span
 * @returns {Recovered | {refusal: Refusal} | undefined} Undefined when no function follows.
 */
function compileExported(source, span) {
  EXPORT.lastIndex = span.start;
  const [words] = EXPORT.exec(source) ?? [""];
  const after = span.start + words.length;
  const rest = source.slice(0, span.start) + words.replace(/\S/g, " ") + source.slice(after);
  NO_CODE.lastIndex = after;
  const start = after + (NO_CODE.exec(rest) ?? [""])[0].length;
  const called = compileLoneFunction(rest, { start, end: span.end });
  if (called === undefined) {
    // Of a function with a mistake in it, the mistake is what there is to say.
    const plain = compile(rest.slice(0, span.end), EXPRESSION);
    return "refusal" in plain ? plain : undefined;
  }
  return { ...called, notes: [EXPORT_NOTE, ...called.notes] };
}

/**
 * @param {string} source
 * @param {Span} span
 * @returns {Recovered | undefined} Undefined when the source is not one function alone.
 */
function compileLoneFunction(source, span) {
  if (!isLoneFunction(source.slice(span.start, span.end))) return undefined;
  const called = compile(source.slice(0, span.end), CALLED);
  if ("refusal" in called) return undefined;
  return { ...called, notes: [CALLED_NOTE], valueNote: "" };
}

/**
 * @param {string} source
 * @param {Span} span
 * @param {import("./compile.js").Compiled} body The same as a body.
 * @returns {Recovered | undefined}
 */
function compileExpression(source, { start, end }, body) {
  if (start === end) return undefined;
  if ("script" in body && startsAt(STATEMENT, source, start)) return undefined;
  const text = source.slice(0, end);
  // To find out where a refused source is wrong takes longer than to find out that it is.
  if (!parses(`(${text}\n)`)) return undefined;
  const value = compile(text, EXPRESSION);
  return "script" in value ? { ...value, notes: [], valueNote: VALUE_NOTE } : undefined;
}

/**
 * Whether a text is one function or arrow function and nothing else, in parentheses or not.
 *
 * @param {string} text
 */
function isLoneFunction(text) {
  for (let i = 0; i < MAX_PARENTHESES; i++) {
    if (isFunction(text) || isArrow(text)) return true;
    if (!text.startsWith("(") || !text.endsWith(")")) return false;
    text = text.slice(1, -1).trim();
  }
  return false;
}

/**
 * Behind the body of a method nothing but a comma can come.
 *
 * @param {string} text
 */
function isFunction(text) {
  const head = FUNCTION.exec(text);
  if (head === null) return false;
  const [all, async = ""] = head;
  return parses(`({ ${async}method${text.slice(all.length)}\n})`) && parses(`[${text}\n]`);
}

/**
 * An arrow function cannot be an operand, and its parameters cannot be arguments; `a ?? b` is no
 * operand of `||` either, nor is `a += b` of anything, but with these a call can begin.
 *
 * @param {string} text
 */
function isArrow(text) {
  const callee = text.startsWith("(") ? "f" : "f.";
  return MAY_BE_ARROW.test(text) && parses(`(0 ? ${text}\n : 0)`) &&
    !parses(`(0 || ${text}\n)`) && !parses(`(${callee}${text}\n)`);
}

/**
 * @param {RegExp} pattern A sticky one.
 * @param {string} text
 * @param {number} offset
 */
function startsAt(pattern, text, offset) {
  pattern.lastIndex = offset;
  return pattern.test(text);
}
