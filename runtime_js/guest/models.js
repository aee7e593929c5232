/**
 * `models` where no models are configured: every function is there and says so.
 */

/** @typedef {import("./primordials.js").Primordials} Primordials */
/** @typedef {import("./calls.js").Calls} Calls */

/**
 * @param {Primordials} primordials
 * @param {Calls} calls
 */
export function makeModels(primordials, calls) {
  const { Error, defineProperty, freeze } = primordials;

  const FUNCTIONS = [
    "getModelsOfType",
    "getAvailableOfType",
    "getModelOfType",
    "classify",
    "generateImages",
  ];

  const models = { __proto__: null };
  for (let i = 0; i < FUNCTIONS.length; i++) {
    const name = FUNCTIONS[i];
    const message = `models.${name}: no models are configured in this pool`;
    const value = () => calls.rejected(new Error(message));
    defineProperty(models, name, { __proto__: null, value, enumerable: true });
  }
  return freeze(models);
}
