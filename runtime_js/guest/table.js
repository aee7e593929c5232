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
  const { mapForEach, mapGet, mapHas, mapSet, stringPadEnd, stringRepeat } = primordials;
  const { inspect, inspectPart } = readable;

  const INDEX = "(index)";
  const VALUE = "Values";
  const MAX_ROWS = 1000;
  const MAX_COLUMNS = 50;
  const MAX_CELL = 200;

  return { draw };

  /**
   * @param {any} data
   * @param {any} wanted Names of the columns to show; all of them when undefined.
   * @returns {string | undefined} Undefined when there is nothing to tabulate.
   */
  function draw(data, wanted) {
    if (typeof data !== "object" || data === null) return undefined;
    /** @type {Map<string, number>} column name to its place */
    const columns = new Map();
    mapSet(columns, INDEX, 0);
    const rows = list();
    collect(data, (label, value) => {
      if (rows.length < MAX_ROWS) rows[rows.length] = row(columns, label, value, wanted);
    });
    return grid(columns, rows);
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
      primordials.setForEach(data, (/** @type {any} */ item) => add(`${index++}`, item));
    } else {
      const names = keys(data);
      for (let i = 0; i < names.length; i++) add(names[i], dataProperty(data, names[i]));
    }
  }

  /**
   * @param {any} holder
   * @param {string} name
   */
  function dataProperty(holder, name) {
    const own = getOwnPropertyDescriptor(holder, name);
    return own !== undefined && hasOwn(own, "value") ? own.value : undefined;
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
      put(columns, cells, VALUE, value);
      return cells;
    }
    const names = isArray(wanted) ? wanted : keys(value);
    for (let i = 0; i < names.length; i++) {
      const name = `${names[i]}`;
      if (hasOwn(value, name)) put(columns, cells, name, dataProperty(value, name));
    }
    return cells;
  }

  /**
   * @param {Map<string, number>} columns
   * @param {any[]} cells
   * @param {string} name
   * @param {any} value
   */
  function put(columns, cells, name, value) {
    if (!mapHas(columns, name)) {
      const count = primordials.mapSize(columns);
      if (count === MAX_COLUMNS) return;
      mapSet(columns, name, count);
    }
    const text = inspect(value);
    cells[mapGet(columns, name) ?? 0] = primordials.stringSlice(text, 0, MAX_CELL);
  }

  /**
   * @param {Map<string, number>} columns
   * @param {any[]} rows
   */
  function grid(columns, rows) {
    const head = list();
    const widths = list();
    mapForEach(columns, (/** @type {number} */ place, /** @type {string} */ name) => {
      head[place] = name;
      widths[place] = name.length;
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
