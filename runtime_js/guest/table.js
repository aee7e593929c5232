/**
 * `console.table`: rows and columns of a value, drawn with ASCII lines.
 */

/** @typedef {import("./primordials.js").Primordials} Primordials */
/** @typedef {import("./values.js").Values} Values */
/** @typedef {import("./readable.js").Readable} Readable */

/**
 * @param {Primordials} primordials
 * @param {Values} values
 * @param {Readable} readable
 */
export function makeTable(primordials, values, readable) {
  const { Map, arrayJoin, getOwnPropertyDescriptor, hasOwn, isArray, keys, list } = primordials;
  const { mapForEach, mapGet, mapSet, mapSize, setForEach, stringIndexOf } = primordials;
  const { stringPadEnd, stringRepeat, stringSlice, stringTrim } = primordials;
  const { inspect, inspectPart } = readable;

  const INDEX = "(index)";
  const VALUE = "Values";
  const MAX_ROWS = 1000;
  const MAX_COLUMNS = 50;
  const MAX_CELL = 200;
  const MORE = "...";

  return { draw };

  /**
   * @param {any} data
   * @param {any} wanted Names of the columns to show; all of them when undefined.
   * @returns {string | undefined} Undefined when there is nothing to tabulate.
   */
  function draw(data, wanted) {
    if (typeof data !== "object" || data === null) return undefined;
    /** @type {Map<string, number>} column name to its place; the labels have the first */
    const columns = new Map();
    const rows = list();
    let left = 0;
    try {
      collect(data, (label, value) => {
        if (rows.length === MAX_ROWS) left++;
        else rows[rows.length] = row(columns, cell(label), value, wanted);
      });
    } catch {
      // A trap of a Proxy threw.
      return undefined;
    }
    const drawn = grid(columns, rows);
    return left === 0 ? drawn : `${drawn}\n... ${left} more`;
  }

  /**
   * @param {any} data
   * @param {(label: string, value: any) => void} add
   */
  function collect(data, add) {
    const kind = values.kindOf(data);
    if (kind === "map") {
      mapForEach(data, (/** @type {any} */ item, /** @type {any} */ key) => {
        add(inspectPart(key), item);
      });
    } else if (kind === "set") {
      let index = 0;
      setForEach(data, (/** @type {any} */ item) => add(`${index++}`, item));
    } else {
      const names = keys(data);
      for (let i = 0; i < names.length; i++) {
        const own = getOwnPropertyDescriptor(data, names[i]);
        if (own !== undefined) add(names[i], hasOwn(own, "value") ? own.value : undefined);
      }
    }
  }

  /**
   * @param {Map<string, number>} columns
   * @param {string} label
   * @param {any} value
   * @param {any} wanted
   */
  function row(columns, label, value, wanted) {
    const cells = list();
    cells[0] = label;
    if (typeof value !== "object" || value === null) {
      put(columns, cells, VALUE, inspect(value));
      return cells;
    }
    const names = isArray(wanted) ? wanted : keys(value);
    for (let i = 0; i < names.length; i++) {
      const name = `${names[i]}`;
      const own = getOwnPropertyDescriptor(value, name);
      if (own === undefined) continue;
      put(columns, cells, name, hasOwn(own, "value") ? inspect(own.value) : "[Getter]");
    }
    return cells;
  }

  /**
   * @param {Map<string, number>} columns
   * @param {any[]} cells
   * @param {string} name
   * @param {string} text
   */
  function put(columns, cells, name, text) {
    let place = mapGet(columns, name);
    if (place === undefined) {
      place = mapSize(columns) + 1;
      if (place > MAX_COLUMNS) return;
      mapSet(columns, name, place);
    }
    // The last column stands for all that have no room.
    cells[place] = place === MAX_COLUMNS ? MORE : cell(text);
  }

  /**
   * On one line and not too long, like a cell has to be.
   *
   * @param {string} text
   */
  function cell(text) {
    let line = "";
    let from = 0;
    for (let at = stringIndexOf(text, "\n"); at >= 0; at = stringIndexOf(text, "\n", from)) {
      line += `${stringTrim(stringSlice(text, from, at))} `;
      from = at + 1;
    }
    line += from === 0 ? text : stringTrim(stringSlice(text, from));
    return line.length > MAX_CELL ? stringSlice(line, 0, MAX_CELL) + MORE : line;
  }

  /**
   * @param {Map<string, number>} columns
   * @param {any[]} rows
   */
  function grid(columns, rows) {
    const head = list();
    const widths = list();
    head[0] = INDEX;
    widths[0] = INDEX.length;
    mapForEach(columns, (/** @type {number} */ place, /** @type {string} */ name) => {
      head[place] = place === MAX_COLUMNS ? MORE : cell(name);
      widths[place] = head[place].length;
    });
    for (let i = 0; i < rows.length; i++) {
      for (let j = 0; j < widths.length; j++) {
        const length = (rows[i][j] ?? "").length;
        if (length > widths[j]) widths[j] = length;
      }
    }
    const lines = list();
    lines[0] = drawRow(head, widths);
    lines[1] = rule(widths);
    for (let i = 0; i < rows.length; i++) lines[i + 2] = drawRow(rows[i], widths);
    return arrayJoin(lines, "\n");
  }

  /**
   * @param {any[]} cells
   * @param {number[]} widths
   */
  function drawRow(cells, widths) {
    let line = "|";
    for (let i = 0; i < widths.length; i++) line += ` ${stringPadEnd(cells[i] ?? "", widths[i])} |`;
    return line;
  }

  /** @param {number[]} widths */
  function rule(widths) {
    let line = "|";
    for (let i = 0; i < widths.length; i++) line += `${stringRepeat("-", widths[i] + 2)}|`;
    return line;
  }
}
