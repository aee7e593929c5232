/**
 * The catalogue as a program sees it: `tools`, `ALL_TOOLS`, search and descriptions.
 *
 * `tools` is a plain frozen object without prototype: what is not a tool is not there. Names are
 * the identifiers; a canonical name that differs is there too, but not enumerated.
 */

/** @typedef {import("./primordials.js").Primordials} Primordials */
/** @typedef {import("./values.js").Values} Values */
/** @typedef {import("./calls.js").Calls} Calls */
/** @typedef {[identifier: string, name: string, description: string, isReached?: false]} Entry */

/**
 * @param {Primordials} primordials
 * @param {{values: Values, calls: Calls}} rooms
 */
export function makeTools(primordials, { values, calls }) {
  const { TypeError, arrayJoin, defineProperty, floor, freeze, hasOwn, list } = primordials;
  const { stringTrim } = primordials;

  const DEFAULT_LIMIT = 8;

  /** @type {string[]} */
  const identifiers = list();
  /** @type {object} */
  const tools = { __proto__: null };

  return { identifiers, open, isTools, signatures, searchTools, describeTool, describeNamespace };

  /**
   * Runs before the program, on an untouched realm.
   *
   * @param {Entry[]} catalog
   */
  function open(catalog) {
    const listed = [];
    for (let i = 0; i < catalog.length; i++) {
      const [identifier, name, description] = catalog[i];
      identifiers[i] = identifier;
      listed[i] = { name: identifier, description };
      define(identifier, toolFunction(identifier, name, description), true);
    }
    for (let i = 0; i < catalog.length; i++) {
      const [identifier, name, , isReached] = catalog[i];
      // Identifiers come first, also those of tools that are gone; and an object with a function
      // `then` could not be awaited.
      if (isReached === false || hasOwn(tools, name)) continue;
      if (name === "then" || name === "toJSON") continue;
      define(name, /** @type {any} */ (tools)[identifier], false);
    }
    const text = () => `[tools: ${arrayJoin(identifiers, ", ")}]`;
    define(primordials.toPrimitive, text, false);
    return { tools: freeze(tools), ALL_TOOLS: listed };
  }

  /** @param {unknown} value */
  function isTools(value) {
    return value === tools;
  }

  /**
   * What `tools` stands for where it is returned: identifiers and signatures. Only the host knows
   * those, and few programs ask.
   *
   * @returns {Promise<any>}
   */
  function signatures() {
    return calls.ask("signatures", { __proto__: null });
  }

  /**
   * @param {PropertyKey} key
   * @param {unknown} value
   * @param {boolean} enumerable
   */
  function define(key, value, enumerable) {
    defineProperty(tools, key, { __proto__: null, value, enumerable });
  }

  /**
   * @param {string} identifier
   * @param {string} name
   * @param {string} description
   */
  function toolFunction(identifier, name, description) {
    // The computed key gives the function its name.
    const holder = {
      [identifier]: (/** @type {unknown} */ argument) => calls.call(name, argument),
    };
    const target = holder[identifier];
    values.describeFunction(target, `tools.${identifier}(input)`, description);
    return target;
  }

  /**
   * @param {unknown} query
   * @param {any} [options]
   */
  function searchTools(query, options) {
    try {
      const text = filled(query, "searchTools", "query");
      return calls.ask("search", searchQuestion(text, options));
    } catch (thrown) {
      return calls.rejected(thrown);
    }
  }

  /**
   * @param {string} query
   * @param {any} options
   */
  function searchQuestion(query, options) {
    /** @type {any} */
    const question = { __proto__: null, query, limit: DEFAULT_LIMIT };
    if (options === undefined || options === null) return question;
    const { limit, namespace } = options;
    if (limit !== undefined) {
      if (typeof limit !== "number" || !(limit >= 1) || floor(limit) !== limit) {
        throw new TypeError("searchTools(): limit is not a positive whole number");
      }
      question.limit = limit;
    }
    if (namespace !== undefined && namespace !== null) {
      question.namespace = filled(namespace, "searchTools", "namespace");
    }
    return question;
  }

  /** @param {unknown} name */
  function describeTool(name) {
    return describe("describe", "describeTool", name);
  }

  /** @param {unknown} name */
  function describeNamespace(name) {
    return describe("namespace", "describeNamespace", name);
  }

  /**
   * @param {"describe" | "namespace"} question
   * @param {string} method
   * @param {unknown} name
   */
  function describe(question, method, name) {
    try {
      return calls.ask(question, { __proto__: null, name: filled(name, method, "name") });
    } catch (thrown) {
      return calls.rejected(thrown);
    }
  }

  /**
   * @param {unknown} value
   * @param {string} method
   * @param {string} what
   */
  function filled(value, method, what) {
    if (typeof value !== "string" || stringTrim(value) === "") {
      throw new TypeError(`${method}(): ${what} is not a text, or an empty one`);
    }
    return value;
  }
}
