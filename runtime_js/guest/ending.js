/**
 * The end of a run: STORE when there is something to commit, then END, then nothing more.
 *
 * Whoever concludes the run first wins: `exit()`, an exceeded limit, the program's own end, a
 * stall. From then on the program counts for nothing. The end itself is sent at once where nobody
 * may wait, else after the turn; when the stack is used up, it is sent after the turn as well.
 */

/** @typedef {import("./primordials.js").Primordials} Primordials */
/** @typedef {import("./writer.js").Writer} Writer */
/** @typedef {import("./encoder.js").Encoder} Encoder */
/** @typedef {import("./ledger.js").Ledger} Ledger */
/** @typedef {import("./errors.js").Errors} Errors */
/** @typedef {import("./errors.js").ErrorData} ErrorData */
/** @typedef {ReturnType<typeof import("./store.js").makeStore>} Store */
/** @typedef {ReturnType<typeof makeEnding>} Ending */

/**
 * @typedef {object} Conclusion
 * @property {"completed" | "exited" | "threw" | "refused" | "stalled" | "too_large"} how
 * @property {Uint8Array | undefined} value Encoded; of a program that returned one.
 * @property {(() => ErrorData) | null} describe Makes the error, for an END that has one.
 */

/**
 * @param {Primordials} primordials
 * @param {object} rooms
 * @param {Writer} rooms.writer
 * @param {Encoder} rooms.encoder
 * @param {Ledger} rooms.ledger
 * @param {Errors} rooms.errors
 * @param {Store} rooms.store
 * @param {import("./calls.js").Calls} rooms.calls
 */
export function makeEnding(primordials, { writer, encoder, ledger, errors, store, calls }) {
  const { Map, RangeError, list, mapDelete, mapForEach, mapSet, mapSize } = primordials;

  const END = 10;
  const MAX_NOTES = 10;
  const MAX_NOTE = 500;
  // Rejections that are kept in case somebody handles them yet; further ones are only counted.
  const KEPT_REJECTIONS = 1000;
  // Texts of the error may take the output's room and this much of the envelope's; three bytes a
  // unit, with the notes they stay below its 64 KiB.
  const ENVELOPE_CHARS = 10000;
  const ANY_SIZE = {
    __proto__: null,
    root: "end",
    isFinite: false,
    limit: Infinity,
    exceed: () => {
      throw new RangeError("an end is too large");
    },
  };

  /** @type {Conclusion | undefined} */
  let conclusion;
  let isSending = false;
  /** @type {Map<object, unknown>} promise to the reason nobody handles */
  const unhandled = new Map();
  let notKept = 0;

  return {
    succeed,
    fail,
    send,
    sendNow,
    tooLarge,
    allowance: () => errors.allow(ledger.limits.output_chars + ENVELOPE_CHARS),
    /**
     * @param {object} promise
     * @param {unknown} reason
     */
    noteUnhandled(promise, reason) {
      if (ledger.isOver()) return;
      if (mapSize(unhandled) < KEPT_REJECTIONS) mapSet(unhandled, promise, reason);
      else notKept++;
    },
    /** @param {object} promise */
    noteHandled(promise) {
      if (!mapDelete(unhandled, promise) && notKept > 0) notKept--;
    },
  };

  /**
   * @param {"completed" | "exited"} how
   * @param {Uint8Array | undefined} value
   */
  function succeed(how, value) {
    conclude({ how, value, describe: null });
  }

  /**
   * @param {"threw" | "refused" | "stalled" | "too_large"} how
   * @param {() => ErrorData} describe
   */
  function fail(how, describe) {
    conclude({ how, value: undefined, describe });
  }

  /** @param {Conclusion} first */
  function conclude(first) {
    if (!ledger.isRunning()) return;
    conclusion = first;
    ledger.phase = ledger.CONCLUDED;
  }

  /**
   * Ends the run because of its output, and throws; catching that changes nothing.
   *
   * @param {string} message
   * @returns {never}
   */
  function tooLarge(message) {
    const error = new RangeError(message);
    fail("too_large", () => errors.describe(error, errors.allow(ENVELOPE_CHARS)));
    sendNow();
    throw error;
  }

  /** Sends the end while the program is on the stack. */
  function sendNow() {
    try {
      send();
    } catch {
      // The stack is used up. The turn ends the run, if the program lets it come to its end.
    }
  }

  /** Sends the end of a concluded run, once. A getter of the error it tells may lead back here. */
  function send() {
    if (conclusion === undefined || isSending || ledger.isOver()) return;
    isSending = true;
    try {
      sendEnd(conclusion);
    } finally {
      isSending = false;
    }
  }

  /** @param {Conclusion} conclusion */
  function sendEnd({ how, value, describe }) {
    if (describe === null) store.commit();
    const error = describe === null ? null : describe();
    const notes = unhandledNotes();
    const open = calls.openLines();
    writer.send(END, 7, () => {
      writer.text(how);
      writer.arrayHeader(value === undefined ? 0 : 1);
      if (value !== undefined) writer.raw(value);
      encoder.encode(error, ANY_SIZE);
      encoder.encode(notes, ANY_SIZE);
      writer.integer(ledger.items);
      writer.integer(ledger.calls);
      encoder.encode(open, ANY_SIZE);
    });
    ledger.phase = ledger.OVER;
  }

  function unhandledNotes() {
    const notes = list();
    mapForEach(unhandled, (/** @type {unknown} */ reason) => {
      if (notes.length < MAX_NOTES) notes[notes.length] = unhandledNote(reason);
    });
    const more = mapSize(unhandled) + notKept - notes.length;
    if (more > 0) notes[notes.length] = `${more} more unhandled rejections are not shown`;
    return notes;
  }

  /** @param {unknown} reason */
  function unhandledNote(reason) {
    const { name, message, line, column } = errors.describe(reason, errors.allow(MAX_NOTE));
    const what = name === "Thrown" ? message : `${name}: ${message}`;
    const where = line === null ? "" : ` (program.js:${line}:${column})`;
    return `Unhandled rejection: ${what}${where}`;
  }
}
