/**
 * What a run has used, what it may use, and whether it still counts.
 *
 * The phase only moves forward. Once it has left `RUNNING`, every function of the API throws:
 * whatever a program does after its end, caught or not, changes nothing.
 */

/** @typedef {import("./primordials.js").Primordials} Primordials */
/** @typedef {import("./host_link.js").HostLink} HostLink */
/** @typedef {ReturnType<typeof makeLedger>} Ledger */

/**
 * @param {Primordials} primordials
 * @param {HostLink} link
 */
export function makeLedger(primordials, link) {
  const { Error } = primordials;

  const RUNNING = 1;
  const CONCLUDED = 2;
  const OVER = 3;

  const ledger = {
    __proto__: null,
    CONCLUDED,
    OVER,
    phase: RUNNING,
    /** TEXT, IMAGE and CONSOLE frames sent. */
    items: 0,
    /** UTF-16 units of them. */
    chars: 0,
    /** CALL frames sent. */
    calls: 0,
    /** Calls and questions without an answer. */
    open: 0,
    limits: { __proto__: null, calls: 0, argument_bytes: 0, output_chars: 0, output_items: 0 },

    isRunning: () => ledger.phase === RUNNING,
    isConcluded: () => ledger.phase === CONCLUDED,
    isOver: () => ledger.phase === OVER,

    /** Throws unless the program runs and there is stack left to keep the books with. */
    ready() {
      if (ledger.phase !== RUNNING) {
        throw new Error("the program is over; nothing it does counts any more");
      }
      link.reserveStack();
    },
  };
  return ledger;
}
