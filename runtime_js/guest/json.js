/**
 * Values of a program as text: JSON for `text()`, strict JSON for `store()`.
 *
 * `JSON.stringify` cannot do it: it honours a `toJSON` anywhere, drops what it does not know
 * without a word, and tells no path. It is used for quoting single strings only.
 */

/** @typedef {import("./primordials.js").Primordials} Primordials */
/** @typedef {import("./walk.js").Walks} Walks */
/** @typedef {import("./walk.js").Walk} Walk */
/** @typedef {import("./values.js").Values} Values */
/** @typedef {ReturnType<typeof makeJson>} Json */

/**
 * @typedef {object} Bound How long a text of containers may get while it is made: shared parts and
 *   holes make one of any length from a few objects.
 * @property {number} limit Most characters.
 * @property {(walk: Walk) => never} exceed Throws when there are more.
 */

/**
 * @param {Primordials} primordials
 * @param {Walks} walks
 * @param {Values} values
 * @param {(value: unknown) => string} inspect The readable form, for what JSON has no form for.
 */
export function makeJson(primordials, walks, values, inspect) {
  const { arrayLength, isArray, jsonStringify, keys, stringToWellFormed } = primordials;

  // Kinds of objects that have a readable form in output and no JSON of their own.
  /** @type {Record<string, true | undefined>} */
  const READABLE = /** @type {any} */ ({
    __proto__: null,
    bytes: true,
    error: true,
    function: true,
    map: true,
    promise: true,
    set: true,
    weak: true,
  });

  return { storeText, outputText };

  /**
   * Compact JSON for the store. Throws a TypeError naming the path of what JSON cannot say.
   *
   * @param {unknown} value Not `undefined`.
   * @param {Bound} bound
   * @returns {string}
   */
  function storeText(value, bound) {
    const walk = walks.begin("value");
    return walks.run(walk, () => strict(walk, value, "", bound)) ?? "null";
  }

  /**
   * What `text(value)` adds to the output. Strings stay as they are.
   *
   * @param {unknown} value
   * @param {Bound} bound
   * @returns {string}
   */
  function outputText(value, bound) {
    if (typeof value === "string") return value;
    if (typeof value === "function") {
      const text = values.readableOf(value);
      if (text !== undefined) return text;
    }
    const walk = walks.begin("value");
    return walks.run(walk, () => lenient(walk, value, "", bound));
  }

  /** @param {string} text */
  function quote(text) {
    return jsonStringify(stringToWellFormed(text));
  }

  /** @param {any} value */
  function isObject(value) {
    return (typeof value === "object" && value !== null) || typeof value === "function";
  }

  /**
   * @param {any} value
   * @param {string | number} key
   */
  function afterToJSON(value, key) {
    if (typeof value === "object" && values.isPlain(value)) return value;
    const toJSON = values.toJSONOf(value);
    return toJSON === undefined ? value : toJSON(value, `${key}`);
  }

  /**
   * @param {Walk} walk
   * @param {any} value
   * @param {string | number} key
   * @param {Bound} bound
   * @returns {string | undefined} Undefined when the value stands for nothing.
   */
  function strict(walk, value, key, bound) {
    if (!isObject(value)) return strictPrimitive(walk, value);
    if (walks.isInside(walk, value)) walks.refuse(walk, "the value contains itself");
    const converted = afterToJSON(value, key);
    if (!isObject(converted)) return strictPrimitive(walk, converted);
    if (converted !== value && walks.isInside(walk, converted)) {
      walks.refuse(walk, "the value contains itself");
    }
    const reduced = values.reduce(walk, converted);
    if (!isObject(reduced)) return strictPrimitive(walk, reduced);
    if (values.kindOf(reduced) === "bytes") walks.refuse(walk, "bytes cannot be stored");
    return container(walk, reduced, value, strict, bound);
  }

  /**
   * @param {Walk} walk
   * @param {any} value
   */
  function strictPrimitive(walk, value) {
    switch (typeof value) {
      case "string":
        return quote(value);
      case "number":
        if (value - value !== 0) walks.refuse(walk, `${value} cannot be stored`);
        return `${value}`;
      case "bigint":
        return walks.refuse(walk, "a BigInt cannot be stored");
      case "symbol":
        return walks.refuse(walk, "a symbol cannot be stored");
      case "undefined":
        return undefined;
      default:
        return `${value}`;
    }
  }

  /**
   * @param {Walk} walk
   * @param {any} value
   * @param {string | number} key
   * @param {Bound} bound
   * @returns {string}
   */
  function lenient(walk, value, key, bound) {
    if (!isObject(value)) return lenientPrimitive(value);
    if (walks.isInside(walk, value)) return "[Circular]";
    const converted = afterToJSON(value, key);
    if (!isObject(converted)) return lenientPrimitive(converted);
    if (converted !== value && walks.isInside(walk, converted)) return "[Circular]";
    const kind = values.kindOf(converted);
    if (READABLE[kind]) return inspect(converted);
    if (kind === "regexp") return values.regExpText(converted);
    const reduced = values.reduce(walk, converted);
    if (!isObject(reduced)) return lenientPrimitive(reduced);
    return container(walk, reduced, value, lenient, bound);
  }

  /** @param {any} value */
  function lenientPrimitive(value) {
    switch (typeof value) {
      case "string":
        return quote(value);
      case "bigint":
      case "symbol":
        return inspect(value);
      default:
        return `${value}`;
    }
  }

  /**
   * @param {Walk} walk
   * @param {any} value
   * @param {object} self The object of the program it stands for.
   * @param {typeof strict} write
   * @param {Bound} bound
   */
  function container(walk, value, self, write, bound) {
    walks.enter(walk, self);
    const list = isArray(value) ? items : properties;
    const text = list(walk, value, write, bound);
    walks.leave(walk);
    return text;
  }

  /**
   * @param {Walk} walk
   * @param {any[]} value
   * @param {typeof strict} write
   * @param {Bound} bound
   */
  function items(walk, value, write, bound) {
    const depth = walk.depth - 1;
    const length = arrayLength(value);
    let text = "[";
    for (let i = 0; i < length; i++) {
      walk.steps[depth] = i;
      const item = write(walk, value[i], i, bound) ?? "null";
      text += i === 0 ? item : `,${item}`;
      if (text.length > bound.limit) bound.exceed(walk);
    }
    return text + "]";
  }

  /**
   * @param {Walk} walk
   * @param {any} value
   * @param {typeof strict} write
   * @param {Bound} bound
   */
  function properties(walk, value, write, bound) {
    const depth = walk.depth - 1;
    const names = keys(value);
    let text = "{";
    for (let i = 0; i < names.length; i++) {
      const name = names[i];
      walk.steps[depth] = name;
      const item = write(walk, value[name], name, bound);
      if (item === undefined) continue;
      text += `${text === "{" ? "" : ","}${quote(name)}:${item}`;
      if (text.length > bound.limit) bound.exceed(walk);
    }
    return text + "}";
  }
}
