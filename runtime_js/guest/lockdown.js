/**
 * What is taken from a fresh realm, and what is nailed down in it, before a program runs.
 *
 * Globals outside the allow-list go. `Error` and its `prepareStackTrace` become constants: the
 * engine looks the hook up through the global binding and hands it call sites that lead to the
 * outer realm, so a program must be able to replace neither.
 */

/** @typedef {import("./primordials.js").Primordials} Primordials */

/**
 * @param {Primordials} primordials
 * @param {string[]} allowed Names of globals that stay.
 * @param {(error: object, sites: any[]) => string} formatStack
 */
export function lockDown(primordials, allowed, formatStack) {
  const { defineProperty, deleteProperty, ownKeys, setHas, setAdd } = primordials;

  const kept = new primordials.Set();
  for (let i = 0; i < allowed.length; i++) setAdd(kept, allowed[i]);
  const names = ownKeys(globalThis);
  for (let i = 0; i < names.length; i++) {
    if (!setHas(kept, names[i]) && !deleteProperty(globalThis, names[i])) {
      throw new primordials.Error("A global outside the allow-list cannot be removed");
    }
  }

  const constant = { __proto__: null, writable: false, enumerable: false, configurable: false };
  // More than the default of 10: our own frames are counted, but not shown.
  /** @type {any} */ (Error).stackTraceLimit = 30;
  defineProperty(Error, "prepareStackTrace", { ...constant, value: formatStack });
  defineProperty(globalThis, "Error", { ...constant, value: Error });
}
