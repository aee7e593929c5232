/**
 * What things are called in readable text: errors, functions, classes, keys, quoted strings.
 *
 * Reads data properties only; no getter of the program is run.
 */

/** @typedef {import("./primordials.js").Primordials} Primordials */
/** @typedef {import("./values.js").Values} Values */
/** @typedef {import("./traces.js").Traces} Traces */
/** @typedef {ReturnType<typeof makeLabels>} Labels */

/**
 * @param {Primordials} primordials
 * @param {Values} values
 * @param {Traces} traces
 */
export function makeLabels(primordials, values, traces) {
  const { functionToString, getOwnPropertyDescriptor, getPrototypeOf, hasOwn, toNumber } =
    primordials;
  const { jsonStringify, stringCharCodeAt, stringIncludes, stringSlice } = primordials;
  const { stringStartsWith, stringToWellFormed, toStringTag } = primordials;

  const MAX_STRING = 10000;
  const MAX_BARE_KEY = 100;
  const MAX_LENGTH = 4294967295;

  return { errorText, functionText, className, isIndex, keyText, quote };

  /**
   * Headline and frames of an error; its own `stack` text when it has one.
   *
   * @param {any} value
   */
  function errorText(value) {
    const headline = `${field(value, "name") ?? "Error"}`;
    const message = field(value, "message") ?? "";
    const { frames } = traces.traceOf(value);
    const head = message === "" ? headline : `${headline}: ${message}`;
    return frames === "" ? head : `${head}\n${frames}`;
  }

  /**
   * A text property, own or inherited, without running a getter.
   *
   * @param {any} value
   * @param {PropertyKey} name
   * @returns {string | undefined}
   */
  function field(value, name) {
    for (let holder = value; holder !== null; holder = getPrototypeOf(holder)) {
      const own = getOwnPropertyDescriptor(holder, name);
      if (own !== undefined) {
        return hasOwn(own, "value") && typeof own.value === "string" ? own.value : undefined;
      }
    }
    return undefined;
  }

  /** @param {any} value */
  function functionText(value) {
    const known = values.signatureOf(value);
    if (known !== undefined) return `[${known}]`;
    const isClass = stringStartsWith(functionToString(value), "class");
    const name = field(value, "name") ?? "";
    if (isClass) return `[class ${name || "(anonymous)"}]`;
    return name === "" ? "[Function (anonymous)]" : `[Function: ${name}]`;
  }

  /**
   * The name of the class an object was made by, or its tag when that tells more: iterators and
   * namespaces like `Math` have no class of their own. Empty when it has neither.
   *
   * @param {any} value
   */
  function className(value) {
    const name = constructorName(value);
    if (name !== "" && name !== "Object") return name;
    return field(value, toStringTag) ?? name;
  }

  /** @param {any} value */
  function constructorName(value) {
    for (let holder = getPrototypeOf(value); holder !== null; holder = getPrototypeOf(holder)) {
      const own = getOwnPropertyDescriptor(holder, "constructor");
      if (own === undefined) continue;
      if (!hasOwn(own, "value") || typeof own.value !== "function") return "";
      return field(own.value, "name") ?? "";
    }
    return "";
  }

  /**
   * Whether a key is that of an element: `01` and what is beyond the longest array are not.
   *
   * @param {PropertyKey} key
   */
  function isIndex(key) {
    if (typeof key !== "string") return false;
    const index = toNumber(key) >>> 0;
    return `${index}` === key && index !== MAX_LENGTH;
  }

  /** @param {string} name */
  function keyText(name) {
    if (isIndex(stringSlice(name, 0, 1)) && !isIndex(name)) return quote(name);
    for (let i = 0; i < name.length; i++) {
      const unit = stringCharCodeAt(name, i);
      const isWord = (unit >= 0x30 && unit <= 0x39) || (unit | 0x20) >= 0x61 || unit === 0x5f ||
        unit === 0x24;
      if (!isWord || i > MAX_BARE_KEY) return quote(name);
    }
    return name === "" ? "''" : name;
  }

  /** @param {string} text */
  function quote(text) {
    const isLong = text.length > MAX_STRING;
    const shown = isLong ? stringSlice(text, 0, MAX_STRING) : text;
    const body = stringSlice(jsonStringify(stringToWellFormed(shown)), 1, -1);
    const quoted = stringIncludes(text, "'") ? `"${body}"` : `'${unescapeQuotes(body)}'`;
    return isLong ? `${quoted}... ${text.length - MAX_STRING} more characters` : quoted;
  }

  /** @param {string} body JSON escapes, to be put in single quotes. */
  function unescapeQuotes(body) {
    let text = "";
    let from = 0;
    for (let i = 0; i + 1 < body.length; i++) {
      if (stringCharCodeAt(body, i) !== 0x5c) continue;
      if (stringCharCodeAt(body, i + 1) === 0x22) {
        text += stringSlice(body, from, i);
        from = i + 1;
      }
      i++;
    }
    return text + stringSlice(body, from);
  }
}
