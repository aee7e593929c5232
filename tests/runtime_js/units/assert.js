/** The few assertions the unit tests need; tests load nothing from a network. */

/**
 * @param {unknown} actual
 * @param {unknown} expected
 */
export function equal(actual, expected) {
  const [left, right] = [show(actual), show(expected)];
  if (left !== right) throw new Error(`got ${left}\nexpected ${right}`);
}

/**
 * @param {() => unknown} action
 * @param {ErrorConstructor} kind
 * @param {string} message
 */
export function throws(action, kind, message) {
  try {
    action();
  } catch (error) {
    if (!(error instanceof kind)) throw error;
    return equal(error.message, message);
  }
  throw new Error(`nothing was thrown, expected ${kind.name}: ${message}`);
}

/** @param {unknown} value */
function show(value) {
  return Deno.inspect(value, { depth: 20, strAbbreviateSize: 10000, iterableLimit: 1000 });
}
