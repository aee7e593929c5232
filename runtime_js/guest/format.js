/**
 * One line of a console method: `%` specifiers in the first argument, the rest joined by spaces.
 */

/** @typedef {import("./primordials.js").Primordials} Primordials */
/** @typedef {import("./readable.js").Readable} Readable */
/** @typedef {ReturnType<typeof makeFormat>} Format */

/**
 * @param {Primordials} primordials
 * @param {Readable} readable
 * @param {(value: unknown) => string} toJson
 */
export function makeFormat(primordials, readable, toJson) {
  const { floor, parseFloat, parseInt, stringIncludes, stringIndexOf, stringSlice, toNumber } =
    primordials;
  const { inspect, inspectPart } = readable;

  return { line };

  /** @param {any[]} parts Arguments of the method; a rest array, read by index. */
  function line(parts) {
    if (parts.length === 0) return "";
    const first = parts[0];
    const isTemplate = parts.length > 1 && typeof first === "string" && stringIncludes(first, "%");
    if (isTemplate) return template(first, parts);
    return joined(inspectPart(first), parts, 1);
  }

  /**
   * @param {string} text
   * @param {any[]} parts
   * @param {number} next First argument that is still to be shown.
   */
  function joined(text, parts, next) {
    for (let i = next; i < parts.length; i++) text += ` ${inspectPart(parts[i])}`;
    return text;
  }

  /**
   * @param {string} source
   * @param {any[]} parts
   */
  function template(source, parts) {
    let text = "";
    let from = 0;
    let next = 1;
    for (let at = stringIndexOf(source, "%"); at >= 0; at = stringIndexOf(source, "%", from)) {
      const specifier = source[at + 1];
      text += stringSlice(source, from, at);
      from = at + 2;
      if (specifier === "%") {
        text += "%";
        continue;
      }
      const shown = next < parts.length ? convert(specifier, parts[next]) : undefined;
      if (shown === undefined) {
        text += "%";
        from = at + 1;
      } else {
        text += shown;
        next++;
      }
    }
    return joined(text + stringSlice(source, from), parts, next);
  }

  /**
   * @param {string | undefined} specifier
   * @param {any} value
   * @returns {string | undefined} Undefined when it is no specifier.
   */
  function convert(specifier, value) {
    switch (specifier) {
      case "s":
        return inspectPart(value);
      case "d":
        return numeric(value, toNumber);
      case "i":
        return numeric(value, whole);
      case "f":
        return typeof value === "symbol" ? "NaN" : `${parseFloat(inspectPart(value))}`;
      case "j":
        return toJson(value);
      case "o":
      case "O":
        return inspect(value);
      case "c":
        return "";
      default:
        return undefined;
    }
  }

  /**
   * @param {any} value
   * @param {(value: any) => number} convert
   */
  function numeric(value, convert) {
    if (typeof value === "bigint") return `${value}n`;
    // Objects and functions are not converted: that would run the program's `valueOf`.
    if (isConvertedByProgram(value) || typeof value === "symbol") return "NaN";
    return inspect(convert(value));
  }

  /** @param {any} value */
  function isConvertedByProgram(value) {
    return (typeof value === "object" && value !== null) || typeof value === "function";
  }

  /** @param {any} value */
  function whole(value) {
    if (typeof value !== "number") return parseInt(value);
    return value < 0 ? -floor(-value) : floor(value);
  }
}
