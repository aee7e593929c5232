/**
 * `console`: one line of the console block per call, never anything else.
 */

/** @typedef {import("./primordials.js").Primordials} Primordials */
/** @typedef {import("./format.js").Format} Format */
/** @typedef {import("./readable.js").Readable} Readable */
/** @typedef {ReturnType<typeof import("./table.js").makeTable>} Table */
/** @typedef {ReturnType<typeof import("./output.js").makeOutput>} Output */
/** @typedef {import("./traces.js").Traces} Traces */

/**
 * @param {Primordials} primordials
 * @param {{format: Format, readable: Readable, table: Table, traces: Traces}} forms
 * @param {Output} output
 */
export function makeConsole(primordials, { format, readable, table, traces }, output) {
  const { Map, captureStackTrace, dateNow, mapDelete, mapGet, mapHas, mapSet } = primordials;
  const { stringSlice, stringIndexOf } = primordials;

  const INDENT = "  ";
  const DEFAULT_LABEL = "default";

  let indent = "";
  /** @type {Map<string, number>} */
  const counts = new Map();
  /** @type {Map<string, number>} label to its start in milliseconds */
  const timers = new Map();

  return {
    /** @param {any[]} parts */
    log: (...parts) => print("log", format.line(parts)),
    /** @param {any[]} parts */
    info: (...parts) => print("info", format.line(parts)),
    /** @param {any[]} parts */
    warn: (...parts) => print("warn", format.line(parts)),
    /** @param {any[]} parts */
    error: (...parts) => print("error", format.line(parts)),
    /** @param {any[]} parts */
    debug: (...parts) => print("debug", format.line(parts)),
    /**
     * @param {any} value
     * @param {any} [options] `{depth}`: levels below the first to show; null shows all.
     */
    dir: (value, options) => print("log", readable.inspect(value, options?.depth)),
    /**
     * @param {any} data
     * @param {any} [columns]
     */
    table: (data, columns) => print("log", table.draw(data, columns) ?? format.line([data])),
    /**
     * @param {any} condition
     * @param {any[]} parts
     */
    assert(condition, ...parts) {
      if (condition) return;
      const text = format.line(parts);
      print("log", text === "" ? "Assertion failed" : `Assertion failed: ${text}`);
    },
    /** @param {any[]} parts */
    trace(...parts) {
      const text = format.line(parts);
      print("log", `Trace${text === "" ? "" : `: ${text}`}${frames()}`);
    },
    /** @param {any} [label] */
    count(label) {
      const name = labelText(label);
      const count = (mapGet(counts, name) ?? 0) + 1;
      mapSet(counts, name, count);
      print("log", `${name}: ${count}`);
    },
    /** @param {any} [label] */
    countReset(label) {
      mapDelete(counts, labelText(label));
    },
    /** @param {any[]} parts */
    group: (...parts) => openGroup(parts),
    /** @param {any[]} parts */
    groupCollapsed: (...parts) => openGroup(parts),
    groupEnd() {
      indent = stringSlice(indent, INDENT.length);
    },
    /** @param {any} [label] */
    time(label) {
      mapSet(timers, labelText(label), dateNow());
    },
    /**
     * @param {any} [label]
     * @param {any[]} parts
     */
    timeLog(label, ...parts) {
      elapsed(labelText(label), parts);
    },
    /** @param {any} [label] */
    timeEnd(label) {
      const name = labelText(label);
      elapsed(name, []);
      mapDelete(timers, name);
    },
  };

  /**
   * @param {"log" | "info" | "warn" | "error" | "debug"} level
   * @param {string} text
   */
  function print(level, text) {
    output.print(level, indent === "" ? text : indented(text));
  }

  /** @param {any[]} parts */
  function openGroup(parts) {
    if (parts.length > 0) print("log", format.line(parts));
    indent += INDENT;
  }

  /** @param {string} text */
  function indented(text) {
    let result = indent;
    let from = 0;
    for (let at = stringIndexOf(text, "\n"); at >= 0; at = stringIndexOf(text, "\n", from)) {
      result += stringSlice(text, from, at + 1) + indent;
      from = at + 1;
    }
    return result + stringSlice(text, from);
  }

  /** @param {any} label */
  function labelText(label) {
    return label === undefined ? DEFAULT_LABEL : readable.inspectPart(label);
  }

  /**
   * @param {string} name
   * @param {any[]} parts
   */
  function elapsed(name, parts) {
    if (!mapHas(timers, name)) return print("warn", `Timer '${name}' does not exist`);
    const text = format.line(parts);
    const milliseconds = dateNow() - (mapGet(timers, name) ?? 0);
    print("log", `${name}: ${milliseconds}ms${text === "" ? "" : ` ${text}`}`);
  }

  /** Frames of the program at this call, each on a line of its own. */
  function frames() {
    const here = {};
    captureStackTrace(here);
    const trace = traces.traceOf(here);
    return trace.frames === "" ? "" : `\n${trace.frames}`;
  }
}
