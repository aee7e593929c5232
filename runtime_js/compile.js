/**
 * Source text to a function of a realm; nothing of it runs before it is known to be one body.
 *
 * Two compilers must agree. `vm.Script` around a wrapper keeps positions, but accepts a source
 * that closes the wrapper and opens another (`}); … (async()=>{`). The AsyncFunction constructor
 * refuses exactly that, but tells no position and is not available where code generation is off;
 * it belongs to a context of its own in which no program ever runs.
 */

import vm from "node:vm";

/** @typedef {{message: string, line: number | null, column: number | null}} Refusal */

const FILE_NAME = "program.js";
const HEAD = "(async function(\n) {\n";
const TAIL = "\n})";
const HEAD_LINES = 2;

const TOO_DEEP = "the source nests too deeply to be compiled";
const BREAKOUT = "a closing bracket in the source has no opening one";
const UNFINISHED = "the source ends before it is complete";
const UNCAUGHT = /^Uncaught SyntaxError: /;
const WRAPPER_BRACE = "Unexpected token '}'";

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
 * @param {string} source Body of an async function.
 * @returns {{script: vm.Script} | {refusal: Refusal}}
 */
export function compile(source) {
  const frames = Error.stackTraceLimit;
  // With frames the engine reports the position of ours instead of the source's.
  Error.stackTraceLimit = 0;
  try {
    const script = new vm.Script(HEAD + source + TAIL, { filename: FILE_NAME });
    return isOneBody(source) ? { script } : { refusal: unplaced(BREAKOUT) };
  } catch (error) {
    return { refusal: error instanceof SyntaxError ? placed(error, source) : unplaced(TOO_DEEP) };
  } finally {
    Error.stackTraceLimit = frames;
  }
}

/**
 * @param {string} source
 * @throws {RangeError} The parser ran out of stack.
 */
function isOneBody(source) {
  try {
    checker()(source);
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
  const message = refusal.message === WRAPPER_BRACE ? UNFINISHED : refusal.message;
  return { message, line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
}
