/**
 * What a program asks of the host and waits for: tool calls, and questions about the catalogue.
 *
 * A frame leaves at the moment of the call, the promise settles when its answer is delivered. The
 * error of a call is made where the call is made, so that it points into the program.
 */

/** @typedef {import("./primordials.js").Primordials} Primordials */
/** @typedef {import("./writer.js").Writer} Writer */
/** @typedef {import("./reader.js").Reader} Reader */
/** @typedef {import("./encoder.js").Encoder} Encoder */
/** @typedef {import("./ledger.js").Ledger} Ledger */
/** @typedef {ReturnType<typeof makeCalls>} Calls */

/** @typedef {{resolve: (value: any) => void, reject: (reason: any) => void, failure: Error}} Open */

/**
 * @param {Primordials} primordials
 * @param {object} rooms
 * @param {import("./walk.js").Walks} rooms.walks
 * @param {Writer} rooms.writer
 * @param {Reader} rooms.reader
 * @param {Encoder} rooms.encoder
 * @param {Ledger} rooms.ledger
 * @param {import("./traces.js").Traces} rooms.traces
 */
export function makeCalls(primordials, { walks, writer, reader, encoder, ledger, traces }) {
  const { Error, Map, RangeError, defineProperty, list, mapDelete, mapForEach, mapGet, mapSet } =
    primordials;
  const { withResolvers } = primordials;

  const CALL = 6;
  const ASK = 7;
  const SETTLE = 17;
  // Of calls whose lines the end tells; a note is read by somebody.
  const MAX_OPEN_LINES = 100;

  /** @type {Map<number, Open>} */
  const openCalls = new Map();
  /** @type {Map<number, Open>} */
  const openQuestions = new Map();
  let questions = 0;

  return { call, ask, settle, rejected, openLines };

  /**
   * @param {string} name Canonical name of a tool.
   * @param {unknown} argument
   * @returns {Promise<any>}
   */
  function call(name, argument) {
    ledger.ready();
    const failure = new Error();
    return attempt(() => {
      const entry = open(failure);
      writer.send(CALL, 3, () => {
        const slot = writer.index();
        writer.text(name);
        encode(argument === undefined ? { __proto__: null } : argument);
        // Encoding may have run code of the program: look again, then take the number.
        ledger.ready();
        const { calls: most } = ledger.limits;
        if (ledger.calls >= most) {
          throw new RangeError(`a run makes at most ${most} calls (calls)`);
        }
        writer.patchIndex(slot, ledger.calls);
      });
      mapSet(openCalls, ledger.calls++, entry);
      ledger.open++;
      return entry.promise;
    });
  }

  /**
   * @param {"search" | "describe" | "namespace" | "signatures"} question
   * @param {object} argument
   * @returns {Promise<any>} Resolves to `undefined` where the host answers with nothing.
   */
  function ask(question, argument) {
    ledger.ready();
    const failure = new Error();
    return attempt(() => {
      const entry = open(failure);
      writer.send(ASK, 3, () => {
        writer.integer(questions);
        writer.text(question);
        encode(argument);
      });
      mapSet(openQuestions, questions++, entry);
      ledger.open++;
      return entry.promise;
    });
  }

  /**
   * @param {Error} failure Made by the caller, not here: each frame of ours between it and the
   *   program would cost half a microsecond.
   */
  function open(failure) {
    const { promise, resolve, reject } = withResolvers();
    return { promise, resolve, reject, failure };
  }

  /** @param {unknown} argument */
  function encode(argument) {
    const { argument_bytes: limit } = ledger.limits;
    encoder.encode(argument, {
      root: "argument",
      isFinite: true,
      limit,
      exceed: (walk) => walks.stop(walk, `argument is larger than ${limit} bytes (argument_bytes)`),
    });
  }

  /**
   * @param {() => Promise<any>} work
   * @returns {Promise<any>} What the work gives; a promise rejected with what it throws.
   */
  function attempt(work) {
    try {
      return work();
    } catch (thrown) {
      return rejected(thrown);
    }
  }

  /** @param {unknown} reason */
  function rejected(reason) {
    const { promise, reject } = withResolvers();
    reject(reason);
    return promise;
  }

  /**
   * Takes a SETTLE or an ANSWER from the reader.
   *
   * @param {number} kind
   */
  function settle(kind) {
    const entries = kind === SETTLE ? openCalls : openQuestions;
    const number = reader.value();
    const isOk = reader.value();
    const value = reader.value();
    const entry = mapGet(entries, number);
    if (entry === undefined) throw new Error("an answer to nothing that is open");
    mapDelete(entries, number);
    ledger.open--;
    if (isOk !== true) entry.reject(failed(entry.failure, value));
    else entry.resolve(kind !== SETTLE && value === null ? undefined : value);
  }

  /**
   * Index and line of the first calls that have no answer yet. Read from the errors that wait for
   * one, so that a call which is answered never pays for it.
   *
   * @returns {number[][]}
   */
  function openLines() {
    const lines = list();
    mapForEach(openCalls, (/** @type {Open} */ { failure }, /** @type {number} */ index) => {
      if (lines.length === MAX_OPEN_LINES) return;
      const { line } = traces.traceOf(failure);
      if (line === null) return;
      const pair = list();
      pair[0] = index;
      pair[1] = line;
      lines[lines.length] = pair;
    });
    return lines;
  }

  /**
   * @param {Error} failure
   * @param {{name: string, message: string}} what
   */
  function failed(failure, what) {
    defineText(failure, "message", what.message);
    if (what.name !== "Error") defineText(failure, "name", what.name);
    return failure;
  }

  /**
   * @param {Error} error
   * @param {string} name
   * @param {string} value
   */
  function defineText(error, name, value) {
    defineProperty(error, name, {
      __proto__: null,
      value,
      writable: true,
      enumerable: false,
      configurable: true,
    });
  }
}
