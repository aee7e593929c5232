/**
 * The globals of the API: put in place, and each function made to show what it is.
 */

/** @typedef {import("./primordials.js").Primordials} Primordials */
/** @typedef {import("./values.js").Values} Values */

/**
 * @param {Primordials} primordials
 * @param {Values} values
 */
export function makeApi(primordials, values) {
  const { Set, defineProperty, keys, list, setAdd, setHas } = primordials;

  /** @type {Record<string, [parameters: string, description: string] | undefined>} */
  const FUNCTIONS = {
    text: ["value", "adds a text to the output"],
    image: ["source", "adds a PNG, JPEG, GIF or WebP image to the output"],
    exit: ["", "ends the program successfully"],
    store: ["key, value", "keeps a JSON value for later programs; undefined deletes it"],
    load: ["key", "gives a stored value, or undefined"],
    searchTools: ["query, {limit, namespace}", "finds tools of this run"],
    describeTool: ["name", "gives the declaration of a tool, or undefined"],
    describeNamespace: ["name", "gives what a namespace holds, or undefined"],
  };

  const CONTAINERS = new Set();
  /** @type {string[]} */
  const names = list();
  setAdd(CONTAINERS, "console");
  setAdd(CONTAINERS, "models");

  return { names, install };

  /**
   * Runs before the program, on an untouched realm. A program may shadow and replace these
   * globals like the language's own.
   *
   * @param {any} globals
   */
  function install(globals) {
    const added = keys(globals);
    for (let i = 0; i < added.length; i++) {
      const name = added[i];
      const value = globals[name];
      names[names.length] = name;
      const described = FUNCTIONS[name];
      if (described !== undefined) {
        values.describeFunction(value, `${name}(${described[0]})`, described[1]);
      }
      defineProperty(globalThis, name, {
        __proto__: null,
        value,
        writable: true,
        configurable: true,
      });
      if (setHas(CONTAINERS, name)) describeMembers(name, value);
    }
  }

  /**
   * @param {string} name
   * @param {any} container
   */
  function describeMembers(name, container) {
    const members = keys(container);
    for (let i = 0; i < members.length; i++) {
      values.describeFunction(container[members[i]], `${name}.${members[i]}(...)`, "");
    }
  }
}
