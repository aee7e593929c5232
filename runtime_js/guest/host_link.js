/**
 * The one way out of the realm: a single function of the outer realm, over primitives.
 *
 * It is captured here and never handed on. What it throws would be an error of the outer realm
 * and lead there; nothing it throws gets past this module.
 */

/** @typedef {import("./primordials.js").Primordials} Primordials */
/** @typedef {ReturnType<typeof connectHost>} HostLink */
/** @typedef {(operation: number, first: any, second: any) => any} HostFunction */

/**
 * @param {Primordials} primordials
 * @param {HostFunction} host See `operations` in `realm.js` for the codes.
 */
export function connectHost(primordials, host) {
  const { RangeError, apply } = primordials;

  const WRITE = 0;
  const DECODE_TEXT = 1;
  const ENCODE_TEXT = 2;
  const OUTPUT_MOVED = 3;

  // 4 KiB of arguments. Calls of built-ins fit in it; a call of ours may not, since a function
  // that has not run lately is compiled first, which takes tens of KiB.
  const RESERVED_SLOTS = 500;
  /** @type {number[]} */
  const slots = [];
  for (let i = 0; i < RESERVED_SLOTS; i++) slots[i] = 0;
  const nothing = () => {};

  return {
    /**
     * Throws the realm's own RangeError when the stack is nearly used up. After it, and after a
     * frame was sent, only assignments and built-ins may follow in the same step: they cannot be
     * cut short. Everything else may be, at any call, and leaves the state as it was.
     */
    reserveStack() {
      apply(nothing, undefined, slots);
    },

    /**
     * Sends the frame in the output buffer between two positions.
     *
     * @param {number} start
     * @param {number} end
     */
    write(start, end) {
      ask(WRITE, start, end);
    },

    /**
     * @param {number} start Position in the input buffer.
     * @param {number} end
     * @returns {string}
     */
    decodeText: (start, end) => ask(DECODE_TEXT, start, end),

    /**
     * @param {string} text
     * @param {number} at Position in the output buffer; there is room for three bytes a unit.
     * @returns {number} Bytes written; lone surrogates have become U+FFFD.
     */
    encodeText: (text, at) => ask(ENCODE_TEXT, text, at),

    /** Tells the outer realm to look for the output buffer again. */
    outputMoved() {
      ask(OUTPUT_MOVED, 0, 0);
    },
  };

  /**
   * @param {number} operation
   * @param {any} first
   * @param {any} second
   */
  function ask(operation, first, second) {
    try {
      return host(operation, first, second);
    } catch {
      throw new RangeError("Maximum call stack size exceeded");
    }
  }
}
