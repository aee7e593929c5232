/**
 * Source text to a function of a realm; nothing of it runs before it is known to be one piece.
 *
 * Two compilers must agree. `vm.Script` around a wrapper keeps positions, but accepts a source
 * that closes the wrapper and opens another (`}); … (async()=>{`). The AsyncFunction constructor
 * refuses exactly that, but tells no position and is not available where code generation is off;
 * it belongs to a context of its own in which no program ever runs.
 */

import vm from "node:vm";

/** @typedef {{message: string, line: number | null, column: number | null}} Refusal */
/** @typedef {{script: vm.Script} | {refusal: Refusal}} Compiled */

/**
 * What becomes of a source: the body of an async function, or the value it returns.
 *
 * Round brackets of ours are checked with square ones, which `1); f(` does not close. An arrow
 * function and not `return`, whose position the engine would take for that of a name it misses.
 *
 * @typedef {object} Form
 * @property {string} head Two lines, so that the source begins on one of its own.
 * @property {string} tail
 * @property {(source: string) => string} body What the second compiler looks at.
 */

/** @type {Form} */
export const BODY = {
  head: "(async function(\n) {\n",
  tail: "\n})",
  body: (source) => source,
};

/** @type {Form} */
export const EXPRESSION = {
  head: "(async (\n) => (\n",
  tail: "\n))",
  body: bracketed,
};

/** @type {Form} */
export const CALLED = {
  head: "(async (\n) => (\n",
  tail: "\n)())",
  body: bracketed,
};

const FILE_NAME = "program.js";
const HEAD_LINES = 2;

const TOO_DEEP = "the source nests too deeply to be compiled";
const BREAKOUT = "a closing bracket in the source has no opening one";
const UNFINISHED = "the source ends before it is complete";
const UNCAUGHT = /^Uncaught SyntaxError: /;
const OURS = /^Unexpected token '[})]'$/;

/** @type {((source: string) => unknown) | undefined} */
let bodyChecker;

/** The second compiler; made on first use, so that a worker can do it when nobody waits. */
export function checker() {
  bodyChecker ??= vm.runInContext(
    "(async function () {}).constructor",
    vm.createContext(vm.constants.DONT_CONTEXTIFY),
  );
  return /** @type {(source: string) => unknown} */ (bodyChecker);
}

/**
 * @param {string} source
 * @param {Form} form
 * @returns {Compiled}
 */
export function compile(source, form) {
  const frames = Error.stackTraceLimit;
  // With frames the engine reports the position of ours instead of the source's.
  Error.stackTraceLimit = 0;
  try {
    const script = new vm.Script(form.head + source + form.tail, { filename: FILE_NAME });
    return isOnePiece(form.body(source)) ? { script } : { refusal: unplaced(BREAKOUT) };
  } catch (error) {
    return { refusal: error instanceof SyntaxError ? placed(error, source) : unplaced(TOO_DEEP) };
  } finally {
    Error.stackTraceLimit = frames;
  }
}

/**
 * Whether a text can stand in an async function, alone.
 *
 * @param {string} body
 */
export function parses(body) {
  try {
    return isOnePiece(body);
  } catch {
    return false;
  }
}

/** @param {string} source */
function bracketed(source) {
  return `[\n${source}\n]`;
}

/**
 * @param {string} body
 * @throws {RangeError} The parser ran out of stack.
 */
function isOnePiece(body) {
  try {
    checker()(body);
    return true;
  } catch (error) {
    // Errors of the checker's realm: told apart by name.
    if (/** @type {Error} */ (error).name === "SyntaxError") return false;
    throw error;
  }
}

/** @param {string} message */
function unplaced(message) {
  return { message, line: null, column: null };
}

/**
 * Where a syntax error is. Deno's errors do not say; the event of an uncaught one does.
 *
 * @param {SyntaxError} error
 * @param {string} source
 * @returns {Refusal}
 */
function placed(error, source) {
  /** @type {Refusal} */
  const refusal = unplaced(error.message);
  /** @param {ErrorEvent} event */
  const note = (event) => {
    event.preventDefault();
    refusal.message = event.message.replace(UNCAUGHT, "");
    refusal.line = event.lineno - HEAD_LINES;
    refusal.column = event.colno;
  };
  addEventListener("error", note);
  reportError(error);
  removeEventListener("error", note);
  return atEndOf(source, refusal);
}

/**
 * An error in our own closing line means that the source wants to go on.
 *
 * @param {string} source
 * @param {Refusal} refusal
 */
function atEndOf(source, refusal) {
  const lines = source.split(/\r\n|[\n\r\u2028\u2029]/);
  if (refusal.line === null || refusal.line <= lines.length) return refusal;
  const message = OURS.test(refusal.message) ? UNFINISHED : refusal.message;
  return { message, line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
}
