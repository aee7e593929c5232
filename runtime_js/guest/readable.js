/**
 * The readable form of a value: what `console` prints, and what JSON has no form for.
 *
 * Getters are not run and nothing is converted by the program's own code, except that a Proxy
 * answers for itself; whatever it throws is shown as text. The result is bounded: depth, items per
 * container and length of strings are cut, and the cut is said.
 */

/** @typedef {import("./primordials.js").Primordials} Primordials */
/** @typedef {import("./values.js").Values} Values */
/** @typedef {import("./labels.js").Labels} Labels */
/** @typedef {ReturnType<typeof makeReadable>} Readable */
/** @typedef {{ancestors: any[], depth: number, most: number, left: number}} View */

/**
 * @param {Primordials} primordials
 * @param {Values} values
 * @param {Labels} labels
 * @param {(value: object) => string | undefined} temporalText
 */
export function makeReadable(primordials, values, labels, temporalText) {
  const { arrayJoin, arrayLength, getOwnPropertyDescriptor, hasOwn, list } = primordials;
  const { mapForEach, mapSize, min, ownKeys, setForEach, setSize, stringIncludes, stringRepeat } =
    primordials;
  const { symbolToString, typedArrayLength, typedArrayName } = primordials;
  const { className, errorText, functionText, isIndex, keyText, quote } = labels;

  const USUAL_DEPTH = 4;
  // As deep as values may be that cross.
  const MAX_DEPTH = 200;
  const MAX_ITEMS = 100;
  // Parts of one value altogether: what is wide at every level is still bounded.
  const MAX_PARTS = 10000;
  const LINE_WIDTH = 88;
  // Elements up to here share lines: a hundred numbers are not a hundred lines.
  const SHORT_PART = 20;

  return { inspect, inspectPart };

  /**
   * @param {unknown} value
   * @param {unknown} [below] Levels below the first to show; null shows all, within reason.
   * @returns {string}
   */
  function inspect(value, below) {
    return show({ ancestors: list(), depth: 0, most: levels(below), left: MAX_PARTS }, value);
  }

  /** @param {unknown} below */
  function levels(below) {
    if (below === null) return MAX_DEPTH;
    return typeof below === "number" && below >= 0 ? min(below + 1, MAX_DEPTH) : USUAL_DEPTH;
  }

  /**
   * Strings as they are, all else in its readable form: one argument of a console method.
   *
   * @param {unknown} value
   */
  function inspectPart(value) {
    return typeof value === "string" ? value : inspect(value);
  }

  /**
   * @param {View} view
   * @param {any} value
   * @returns {string}
   */
  function show(view, value) {
    switch (typeof value) {
      case "string":
        return quote(value);
      case "bigint":
        return `${value}n`;
      case "symbol":
        return symbolToString(value);
      case "number":
        return value === 0 && 1 / value < 0 ? "-0" : `${value}`;
      case "object":
      case "function":
        return value === null ? "null" : guarded(view, value);
      default:
        return `${value}`;
    }
  }

  /**
   * @param {View} view
   * @param {any} value
   */
  function guarded(view, value) {
    const depth = view.depth;
    try {
      return object(view, value);
    } catch {
      // A trap of a Proxy threw, or the stack ran out on the way.
      view.depth = depth;
      return "[Unreadable]";
    }
  }

  /**
   * @param {View} view
   * @param {any} value
   */
  function object(view, value) {
    for (let i = 0; i < view.depth; i++) {
      if (view.ancestors[i] === value) return "[Circular]";
    }
    const kind = values.kindOf(value);
    switch (kind) {
      case "date":
        return values.isoDate(value) ?? "null";
      case "regexp":
        return values.regExpText(value);
      case "promise":
        return "Promise { did you forget await? }";
      case "weak":
        return `${className(value)} { ... }`;
      case "wrapper":
        return `[${className(value)}: ${show(view, values.unwrap(value))}]`;
      case "function":
        return withProperties(view, value, functionText(value), isNowhere);
      case "error":
        return withProperties(view, value, errorText(value), isInHeadline);
    }
    const text = temporalText(value);
    if (text !== undefined) return text;
    if (view.depth >= view.most) return `[${className(value) || "Object"}]`;
    view.ancestors[view.depth++] = value;
    const shown = container(view, value, kind);
    view.depth--;
    return shown;
  }

  /**
   * @param {View} view
   * @param {any} value
   * @param {string} kind
   */
  function container(view, value, kind) {
    const name = className(value);
    const parts = list();
    switch (kind) {
      case "array": {
        const length = arrayLength(value);
        elements(view, parts, value, length);
        properties(view, parts, value, isIndex);
        return wrapElements(view, name === "Array" ? "" : `${name}(${length}) `, "[", parts, "]");
      }
      case "bytes":
        return bytes(view, value, name);
      case "map":
        entries(view, parts, value);
        properties(view, parts, value, isNowhere);
        return wrap(view, `${name}(${mapSize(value)}) `, "{", parts, "}");
      case "set":
        members(view, parts, value);
        properties(view, parts, value, isNowhere);
        return wrapElements(view, `${name}(${setSize(value)}) `, "{", parts, "}");
      default:
        properties(view, parts, value, isNowhere);
        return wrap(view, name === "Object" || name === "" ? "" : `${name} `, "{", parts, "}");
    }
  }

  /**
   * @param {View} view
   * @param {any[]} parts
   * @param {any} value
   * @param {number} length
   */
  function elements(view, parts, value, length) {
    for (let i = 0; i < length; i++) {
      if (isFull(view, parts, length - i)) return;
      const own = getOwnPropertyDescriptor(value, i);
      parts[parts.length] = own === undefined ? "undefined" : property(view, own);
    }
  }

  /**
   * @param {View} view
   * @param {any[]} parts
   * @param {any} value
   * @param {(key: PropertyKey) => boolean} isShown Whether it was shown already.
   */
  function properties(view, parts, value, isShown) {
    const names = ownKeys(value);
    for (let i = 0; i < names.length; i++) {
      const name = names[i];
      if (isShown(name)) continue;
      const own = getOwnPropertyDescriptor(value, name);
      if (own === undefined || !own.enumerable) continue;
      if (isFull(view, parts, names.length - i)) return;
      const key = typeof name === "symbol" ? `[${symbolToString(name)}]` : keyText(name);
      parts[parts.length] = `${key}: ${property(view, own)}`;
    }
  }

  /**
   * @param {View} view
   * @param {PropertyDescriptor} own
   */
  function property(view, own) {
    if (hasOwn(own, "value")) return show(view, own.value);
    if (own.get === undefined) return "[Setter]";
    return own.set === undefined ? "[Getter]" : "[Getter/Setter]";
  }

  /**
   * @param {View} view
   * @param {any[]} parts
   * @param {any} value
   */
  function entries(view, parts, value) {
    let left = mapSize(value);
    mapForEach(value, (/** @type {any} */ item, /** @type {any} */ key) => {
      if (left === 0 || isFull(view, parts, left)) left = 0;
      else {
        parts[parts.length] = `${show(view, key)} => ${show(view, item)}`;
        left--;
      }
    });
  }

  /**
   * @param {View} view
   * @param {any[]} parts
   * @param {any} value
   */
  function members(view, parts, value) {
    let left = setSize(value);
    setForEach(value, (/** @type {any} */ item) => {
      if (left === 0 || isFull(view, parts, left)) left = 0;
      else {
        parts[parts.length] = show(view, item);
        left--;
      }
    });
  }

  /**
   * Length and head of a typed array, a DataView or an ArrayBuffer.
   *
   * @param {View} view
   * @param {any} value
   * @param {string} name
   */
  function bytes(view, value, name) {
    const items = typedArrayName(value) === undefined ? values.bytesOf(value) : value;
    const length = typedArrayLength(items);
    const parts = list();
    for (let i = 0; i < length && !isFull(view, parts, length - i); i++) {
      parts[parts.length] = show(view, items[i]);
    }
    return wrapElements(view, `${name}(${length}) `, "[", parts, "]");
  }

  function isNowhere() {
    return false;
  }

  /** @param {PropertyKey} key */
  function isInHeadline(key) {
    return key === "name" || key === "message" || key === "stack";
  }

  /**
   * Whether a container has shown enough; says once how much is left out.
   *
   * @param {View} view
   * @param {any[]} parts
   * @param {number} left
   */
  function isFull(view, parts, left) {
    if (parts.length < MAX_ITEMS && view.left > 0) {
      view.left--;
      return false;
    }
    parts[parts.length] = `... ${left} more`;
    return true;
  }

  /**
   * One line when it is short, else as many elements a line as fit, or one where they are long.
   *
   * @param {View} view
   * @param {string} prefix
   * @param {string} open
   * @param {any[]} parts
   * @param {string} close
   */
  function wrapElements(view, prefix, open, parts, close) {
    const width = LINE_WIDTH - 2 * view.depth;
    const lines = list();
    for (let i = 0; i < parts.length; i++) {
      const part = parts[i];
      if (part.length > SHORT_PART || stringIncludes(part, "\n")) {
        return wrap(view, prefix, open, parts, close);
      }
      const last = lines.length - 1;
      if (last >= 0 && lines[last].length + part.length < width) lines[last] += `, ${part}`;
      else lines[last + 1] = part;
    }
    return wrap(view, prefix, open, lines, close);
  }

  /**
   * One line when it is short, else one part a line.
   *
   * @param {View} view
   * @param {string} prefix
   * @param {string} open
   * @param {any[]} parts
   * @param {string} close
   */
  function wrap(view, prefix, open, parts, close) {
    if (parts.length === 0) return `${prefix}${open}${close}`;
    const line = `${prefix}${open} ${arrayJoin(parts, ", ")} ${close}`;
    if (line.length <= LINE_WIDTH && !stringIncludes(line, "\n")) return line;
    const indent = stringRepeat("  ", view.depth);
    const outer = stringRepeat("  ", view.depth - 1);
    return `${prefix}${open}\n${indent}${arrayJoin(parts, `,\n${indent}`)}\n${outer}${close}`;
  }

  /**
   * @param {View} view
   * @param {any} value
   * @param {string} text
   * @param {(key: PropertyKey) => boolean} isShown Whether a property is part of the text.
   */
  function withProperties(view, value, text, isShown) {
    if (view.depth >= view.most) return text;
    view.ancestors[view.depth++] = value;
    const parts = list();
    const cause = getOwnPropertyDescriptor(value, "cause");
    const errors = getOwnPropertyDescriptor(value, "errors");
    if (cause !== undefined && !cause.enumerable) {
      parts[parts.length] = `[cause]: ${property(view, cause)}`;
    }
    if (errors !== undefined && !errors.enumerable) {
      parts[parts.length] = `[errors]: ${property(view, errors)}`;
    }
    properties(view, parts, value, isShown);
    const shown = parts.length === 0 ? text : wrap(view, `${text} `, "{", parts, "}");
    view.depth--;
    return shown;
  }
}
