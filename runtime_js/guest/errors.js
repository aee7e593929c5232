/**
 * What was thrown, as data: names, messages, positions, causes and members, all bounded.
 *
 * Each property of a thrown value is read once, and guarded: it may be a getter or a trap. What is
 * left out is said in the place where it was.
 */

/** @typedef {import("./primordials.js").Primordials} Primordials */
/** @typedef {import("./traces.js").Traces} Traces */
/** @typedef {ReturnType<typeof makeErrors>} Errors */

/**
 * @typedef {object} ErrorData
 * @property {string} name
 * @property {string} message
 * @property {string} stack Frames of the program, one a line.
 * @property {number | null} line
 * @property {number | null} column
 * @property {ErrorData | null} cause
 * @property {ErrorData[]} errors
 */

/**
 * @typedef {object} Allowance What one END may still say.
 * @property {number} chars
 * @property {number} errors
 */

/**
 * @param {Primordials} primordials
 * @param {Traces} traces
 * @param {(value: unknown) => string} inspect
 */
export function makeErrors(primordials, traces, inspect) {
  const { arrayLength, hasOwn, isArray, isError, list, stringSlice } = primordials;

  const MAX_LEVELS = 8;
  const MAX_MEMBERS = 32;
  // All levels and members together; they multiply.
  const MAX_ERRORS = 64;
  const MAX_TEXT = 16384;
  const MAX_NAME = 200;

  return { allow, describe, plain, shorten };

  /**
   * @param {number} chars
   * @returns {Allowance}
   */
  function allow(chars) {
    return { chars, errors: MAX_ERRORS };
  }

  /**
   * An error of the runtime's own.
   *
   * @param {string} name
   * @param {string} message
   * @returns {ErrorData}
   */
  function plain(name, message) {
    return /** @type {any} */ ({
      __proto__: null,
      name,
      message,
      stack: "",
      line: null,
      column: null,
      cause: null,
      errors: list(),
    });
  }

  /**
   * @param {any} thrown
   * @param {Allowance} allowance
   */
  function describe(thrown, allowance) {
    try {
      return level(thrown, allowance, list());
    } catch {
      return plain("Error", "the error cannot be described");
    }
  }

  /**
   * @param {any} thrown
   * @param {Allowance} allowance
   * @param {any[]} above Errors this one is a cause or member of.
   * @returns {ErrorData}
   */
  function level(thrown, allowance, above) {
    if (above.length > MAX_LEVELS || allowance.errors === 0) {
      return plain("Omitted", "further errors are not shown");
    }
    for (let i = 0; i < above.length; i++) {
      if (above[i] === thrown && isError(thrown)) {
        return plain("Circular", "this error is shown above already");
      }
    }
    allowance.errors--;
    if (!isError(thrown)) {
      const text = typeof thrown === "string" ? thrown : inspect(thrown);
      return plain("Thrown", shorten(text, MAX_TEXT, allowance));
    }
    return error(thrown, allowance, above);
  }

  /**
   * @param {any} thrown
   * @param {Allowance} allowance
   * @param {any[]} above
   */
  function error(thrown, allowance, above) {
    const name = read(thrown, "name");
    const message = read(thrown, "message");
    const trace = traces.traceOf(thrown);
    const data = plain(
      shorten(typeof name === "string" && name !== "" ? name : "Error", MAX_NAME, allowance),
      shorten(messageText(message), MAX_TEXT, allowance),
    );
    data.stack = shorten(trace.frames, MAX_TEXT, allowance);
    data.line = trace.line;
    data.column = trace.column;
    above[above.length] = thrown;
    if (has(thrown, "cause")) data.cause = level(read(thrown, "cause"), allowance, above);
    if (has(thrown, "errors")) members(data.errors, read(thrown, "errors"), allowance, above);
    above.length--;
    return data;
  }

  /**
   * @param {ErrorData[]} target
   * @param {any} source
   * @param {Allowance} allowance
   * @param {any[]} above
   */
  function members(target, source, allowance, above) {
    if (!isArray(source)) return;
    const length = arrayLength(source);
    for (let i = 0; i < length; i++) {
      if (i === MAX_MEMBERS || allowance.errors === 0) {
        target[i] = plain("Omitted", `${length - i} more errors are not shown`);
        return;
      }
      target[i] = level(read(source, i), allowance, above);
    }
  }

  /** @param {unknown} message */
  function messageText(message) {
    if (message === undefined) return "";
    return typeof message === "string" ? message : inspect(message);
  }

  /**
   * @param {any} target
   * @param {PropertyKey} name
   */
  function read(target, name) {
    try {
      return target[name];
    } catch {
      return undefined;
    }
  }

  /**
   * @param {any} target
   * @param {PropertyKey} name
   */
  function has(target, name) {
    try {
      return hasOwn(target, name);
    } catch {
      return false;
    }
  }

  /**
   * Cuts a text to what may be said, and says what was cut.
   *
   * @param {string} text
   * @param {number} most
   * @param {Allowance} allowance
   */
  function shorten(text, most, allowance) {
    const limit = primordials.min(most, allowance.chars);
    let shown = text;
    if (text.length > limit) {
      const note = `... (${text.length} characters, cut here)`;
      shown = note.length > limit ? "" : stringSlice(text, 0, limit - note.length) + note;
    }
    allowance.chars -= shown.length;
    return shown;
  }
}
