/**
 * The course of one run in its realm: opened, begun, answered, turned over, ended.
 *
 * The outer realm calls these functions, with primitives and objects of this realm only, and never
 * while the program is on the stack.
 */

/** @typedef {import("./primordials.js").Primordials} Primordials */
/** @typedef {ReturnType<typeof makeRun>} Run */

/**
 * @param {Primordials} primordials
 * @param {object} rooms
 * @param {import("./advice.js").Advice} rooms.advice
 * @param {import("./calls.js").Calls} rooms.calls
 * @param {import("./encoder.js").Encoder} rooms.encoder
 * @param {import("./ending.js").Ending} rooms.ending
 * @param {import("./errors.js").Errors} rooms.errors
 * @param {import("./ledger.js").Ledger} rooms.ledger
 * @param {ReturnType<typeof import("./output.js").makeOutput>} rooms.output
 * @param {import("./reader.js").Reader} rooms.reader
 * @param {ReturnType<typeof import("./store.js").makeStore>} rooms.store
 * @param {ReturnType<typeof import("./tools.js").makeTools>} rooms.tools
 * @param {import("./writer.js").Writer} rooms.writer
 * @param {(catalog: {tools: object, ALL_TOOLS: object[]}) => void} install Adds the API's globals.
 */
export function makeRun(primordials, rooms, install) {
  const { advice, calls, encoder, ending, errors, ledger } = rooms;
  const { output, reader, store, tools, writer } = rooms;
  const { Error, defineProperty, promiseThen, withResolvers } = primordials;

  const NOTE = 11;
  const BYTES_PER_CHAR = 3;
  const TOO_DEEP = "the source nests too deeply to be compiled";
  const STALLED = "the program awaits something that can never settle: " +
    "no call is open and nothing else could wake it";

  let codeStart = 0;
  let codeEnd = 0;
  let valueNote = "";

  return {
    open,
    codeStart: () => codeStart,
    codeEnd: () => codeEnd,
    note,
    begin,
    refuse,
    settle,
    turn,
    exit,
  };

  /**
   * Takes START from the reader.
   *
   * @param {number} length Bytes of its fields.
   * @returns {string} The program.
   */
  function open(length) {
    reader.begin(length);
    const source = reader.value();
    const catalog = reader.value();
    const values = reader.value();
    const limits = reader.value();
    const code = reader.value();
    reader.finish();
    codeStart = code[0];
    codeEnd = code[1];
    ledger.limits = limits;
    store.open(values);
    install(tools.open(catalog));
    return source;
  }

  /**
   * Says what was done to make the source run.
   *
   * @param {string} text
   */
  function note(text) {
    writer.send(NOTE, 1, () => writer.text(text));
  }

  /**
   * Starts the program from a microtask, so that nothing of ours is below it on the stack.
   *
   * @param {() => Promise<unknown>} program
   * @param {string} noteOfValue What to say if it gives a value; empty for nothing.
   */
  function begin(program, noteOfValue) {
    valueNote = noteOfValue;
    const { promise, resolve } = withResolvers();
    promiseThen(promise, () => launch(program));
    resolve(undefined);
  }

  /** @param {() => Promise<unknown>} program */
  function launch(program) {
    let promise;
    try {
      promise = program();
    } catch {
      // An async function throws nothing itself: the engine could not compile it after all.
      refuse(TOO_DEEP, null, null);
      return;
    }
    whenSettled(promise, complete);
  }

  /**
   * @param {Promise<unknown>} promise
   * @param {(value: unknown) => void} proceed
   */
  function whenSettled(promise, proceed) {
    // `then` looks for a constructor to make its own promise with; a program may have put one
    // on the prototype.
    defineProperty(promise, "constructor", { __proto__: null, value: undefined });
    promiseThen(promise, proceed, fail);
  }

  /** @param {unknown} value What the program returned. */
  function complete(value) {
    if (ledger.isRunning() && tools.isTools(value)) whenSettled(tools.signatures(), succeed);
    else succeed(value);
  }

  /** @param {unknown} value */
  function succeed(value) {
    try {
      const encoded = encodeValue(value);
      if (encoded !== undefined && valueNote !== "" && ledger.isRunning()) note(valueNote);
      ending.succeed("completed", encoded);
    } catch (thrown) {
      fail(thrown);
    }
  }

  /** @param {unknown} thrown What the program did not catch. */
  function fail(thrown) {
    ending.fail("threw", () => {
      const error = errors.describe(thrown, ending.allowance());
      advice.add(error, tools.identifiers());
      return error;
    });
  }

  /**
   * @param {unknown} value
   * @returns {Uint8Array | undefined} Undefined when the value stands for nothing.
   */
  function encodeValue(value) {
    const { output_chars: most } = ledger.limits;
    let chars;
    const encoded = writer.capture(() => {
      chars = encoder.encode(value, {
        root: "return",
        isFinite: false,
        limit: most * BYTES_PER_CHAR,
        exceed: output.refuseChars,
        crowd: (_, message) => ending.tooLarge(`the returned value is too large: ${message}`),
      });
      // Its quotes are not shown.
      output.admitChars(typeof value === "string" ? value.length : chars ?? 0);
    });
    return chars === undefined ? undefined : encoded;
  }

  /**
   * Ends a run whose program was not started.
   *
   * @param {string} message
   * @param {number | null} line
   * @param {number | null} column
   */
  function refuse(message, line, column) {
    ending.fail("refused", () => ({ ...errors.plain("SyntaxError", message), line, column }));
  }

  /**
   * Takes one SETTLE or ANSWER from the reader.
   *
   * @param {number} kind
   * @param {number} length Bytes of its fields.
   */
  function settle(kind, length) {
    reader.begin(length);
    calls.settle(kind);
    reader.finish();
  }

  /**
   * Called when every microtask has run.
   *
   * @returns {boolean} Whether the run is over.
   */
  function turn() {
    if (ledger.isRunning() && ledger.open === 0) {
      ending.fail("stalled", () => errors.plain("Error", STALLED));
    }
    ending.send();
    return ledger.isOver();
  }

  /** The API's `exit()`. Again where the first found the stack too full to send the end. */
  function exit() {
    if (!ledger.isConcluded()) ledger.ready();
    ending.succeed("exited", undefined);
    ending.sendNow();
    throw new Error("exit() has ended the program");
  }
}
