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
 * @typedef {object} Text What was written so far. Appending to one string would have the engine
 *   keep a tree of all pieces, at 32 bytes and more for each; so they are joined now and then.
 * @property {string[]} pieces
 * @property {string[]} chunks
 * @property {number} chars Of both.
 * @property {Bound} bound
 */

/**
 * @param {Primordials} primordials
 * @param {Walks} walks
 * @param {Values} values
 * @param {(value: unknown) => string} inspect The readable form, for what JSON has no form for.
 */
export function makeJson(primordials, walks, values, inspect) {
  const { arrayJoin, arrayLength, isArray, jsonStringify, keys, list } = primordials;
  const { stringToWellFormed } = primordials;

  const CHUNK_PIECES = 4096;

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
    const text = begin(bound);
    return walks.run(walk, () => strict(walk, text, "", value, "") ? finish(text) : "null");
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
      const readable = values.readableOf(value);
      if (readable !== undefined) return readable;
    }
    const walk = walks.begin("value");
    const text = begin(bound);
    return walks.run(walk, () => {
      lenient(walk, text, "", value, "");
      return finish(text);
    });
  }

  /**
   * @param {Bound} bound
   * @returns {Text}
   */
  function begin(bound) {
    return { pieces: list(), chunks: list(), chars: 0, bound };
  }

  /**
   * @param {Walk} walk
   * @param {Text} text
   * @param {string} piece
   */
  function add(walk, text, piece) {
    text.pieces[text.pieces.length] = piece;
    text.chars += piece.length;
    if (text.chars > text.bound.limit && walk.depth > 0) text.bound.exceed(walk);
    if (text.pieces.length < CHUNK_PIECES) return;
    text.chunks[text.chunks.length] = arrayJoin(text.pieces, "");
    text.pieces = list();
  }

  /** @param {Text} text */
  function finish(text) {
    text.chunks[text.chunks.length] = arrayJoin(text.pieces, "");
    return text.chunks.length === 1 ? text.chunks[0] : arrayJoin(text.chunks, "");
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
   * @param {Text} text
   * @param {string} before What to write in front of the value.
   * @param {any} value
   * @param {string | number} key
   * @returns {boolean} False when the value stands for nothing, and nothing was written.
   */
  function strict(walk, text, before, value, key) {
    if (!isObject(value)) return strictPrimitive(walk, text, before, value);
    if (walks.isInside(walk, value)) walks.refuse(walk, "the value contains itself");
    const converted = afterToJSON(value, key);
    if (!isObject(converted)) return strictPrimitive(walk, text, before, converted);
    if (converted !== value && walks.isInside(walk, converted)) {
      walks.refuse(walk, "the value contains itself");
    }
    const reduced = values.reduce(walk, converted);
    if (!isObject(reduced)) return strictPrimitive(walk, text, before, reduced);
    if (values.kindOf(reduced) === "bytes") walks.refuse(walk, "bytes cannot be stored");
    container(walk, text, before, reduced, value, strict);
    return true;
  }

  /**
   * @param {Walk} walk
   * @param {Text} text
   * @param {string} before
   * @param {any} value
   */
  function strictPrimitive(walk, text, before, value) {
    const shown = strictText(walk, value);
    if (shown === undefined) return false;
    add(walk, text, before + shown);
    return true;
  }

  /**
   * @param {Walk} walk
   * @param {any} value
   */
  function strictText(walk, value) {
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
   * @param {Text} text
   * @param {string} before What to write in front of the value.
   * @param {any} value
   * @param {string | number} key
   */
  function lenient(walk, text, before, value, key) {
    const shown = lenientText(walk, text, before, value, key);
    if (shown !== undefined) add(walk, text, before + shown);
    return true;
  }

  /**
   * @param {Walk} walk
   * @param {Text} text
   * @param {string} before
   * @param {any} value
   * @param {string | number} key
   * @returns {string | undefined} Undefined when it was a container, and is written.
   */
  function lenientText(walk, text, before, value, key) {
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
    container(walk, text, before, reduced, value, lenient);
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
   * @param {Text} text
   * @param {string} before
   * @param {any} value
   * @param {object} self The object of the program it stands for.
   * @param {typeof strict} write
   */
  function container(walk, text, before, value, self, write) {
    walks.enter(walk, self);
    if (isArray(value)) {
      add(walk, text, `${before}[`);
      items(walk, text, value, write);
      add(walk, text, "]");
    } else {
      add(walk, text, `${before}{`);
      properties(walk, text, value, write);
      add(walk, text, "}");
    }
    walks.leave(walk);
  }

  /**
   * @param {Walk} walk
   * @param {Text} text
   * @param {any[]} value
   * @param {typeof strict} write
   */
  function items(walk, text, value, write) {
    const depth = walk.depth - 1;
    const length = arrayLength(value);
    for (let i = 0; i < length; i++) {
      walk.steps[depth] = i;
      const before = i === 0 ? "" : ",";
      if (!write(walk, text, before, value[i], i)) add(walk, text, `${before}null`);
    }
  }

  /**
   * @param {Walk} walk
   * @param {Text} text
   * @param {any} value
   * @param {typeof strict} write
   */
  function properties(walk, text, value, write) {
    const depth = walk.depth - 1;
    const names = keys(value);
    let separator = "";
    for (let i = 0; i < names.length; i++) {
      const name = names[i];
      walk.steps[depth] = name;
      if (write(walk, text, `${separator}${quote(name)}:`, value[name], name)) separator = ",";
    }
  }
}
