/**
 * The catalogue as a program sees it: `tools`, `ALL_TOOLS`, search and descriptions.
 *
 * `tools` is a plain frozen object without prototype: what is not a tool is not there. Names are
 * the identifiers; a canonical name that differs is there too, but not enumerated.
 */

/** @typedef {import("./primordials.js").Primordials} Primordials */
/** @typedef {import("./values.js").Values} Values */
/** @typedef {import("./calls.js").Calls} Calls */
/** @typedef {{name: string, description: string}} Listed What a program sees; an identifier. */
/** @typedef {[place: number, name: string, isReached: boolean]} Other A canonical name. */
/** @typedef {[listed: Listed[], others: Other[]]} Catalog */

/**
 * @param {Primordials} primordials
 * @param {{values: Values, calls: Calls}} rooms
 */
export function makeTools(primordials, { values, calls }) {
  const { TypeError, arrayJoin, defineProperty, floor, freeze, getPrototypeOf, hasOwn, list } =
    primordials;
  const { functionBind, jsonParse, keys, setPrototypeOf, stringTrim } = primordials;

  const DEFAULT_LIMIT = 8;
  // A function's own name takes longer to give than the function; in larger catalogues the name is
  // that of all of them, and `${tools.x}` tells them apart.
  const NAMED_FUNCTIONS = 500;

  /** @type {any} */
  const tools = { __proto__: null };
  let catalog = "[[], []]";
  /** @type {Listed[] | undefined} What was listed at first; `ALL_TOOLS` is the program's own. */
  let listedFirst;
  // There may be thousands of tools and a program uses three: what a function shows of itself is
  // one prototype's business, and made when somebody asks.
  const shared = {
    toString() {
      return values.readableOf(/** @type {any} */ (this));
    },
    toJSON() {
      return values.readableOf(/** @type {any} */ (this));
    },
  };
  setPrototypeOf(shared, getPrototypeOf(call));
  setPrototypeOf(call, freeze(shared));
  // One for all: a new object for each would take longer than the function itself.
  const named = { value: "" };

  return {
    identifiers: () => keys(tools),
    open,
    isTools,
    signatures,
    searchTools,
    describeTool,
    describeNamespace,
  };

  /**
   * Runs before the program, on an untouched realm.
   *
   * @param {string} text A `Catalog` as JSON.
   */
  function open(text) {
    catalog = text;
    /** @type {Catalog} */
    const [listed, others] = jsonParse(text);
    /** @type {string[]} Canonical names, where they differ. */
    const names = list();
    for (let i = 0; i < others.length; i++) names[others[i][0]] = others[i][1];
    for (let i = 0; i < listed.length; i++) {
      const identifier = listed[i].name;
      tools[identifier] = toolFunction(names[i] ?? identifier);
      if (listed.length > NAMED_FUNCTIONS) continue;
      named.value = identifier;
      defineProperty(tools[identifier], "name", named);
    }
    values.describeElsewhere(readable);
    for (let i = 0; i < others.length; i++) {
      const [place, name, isReached] = others[i];
      // Identifiers come first, also those of tools that are gone; and an object with a function
      // `then` could not be awaited.
      if (!isReached || hasOwn(tools, name) || name === "then" || name === "toJSON") continue;
      define(name, tools[listed[place].name]);
    }
    define(primordials.toPrimitive, () => `[tools: ${arrayJoin(keys(tools), ", ")}]`);
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
   */
  function define(key, value) {
    defineProperty(tools, key, { __proto__: null, value, enumerable: false });
  }

  /** @param {string} name */
  function toolFunction(name) {
    // A bound function has the prototype of what it is bound to, without being given it.
    return functionBind(call, undefined, name);
  }

  /**
   * @param {string} name
   * @param {unknown} argument
   */
  function call(name, argument) {
    return calls.call(name, argument);
  }

  /**
   * What a function of `tools` shows of itself; undefined for every other one.
   *
   * @param {Function} target
   */
  function readable(target) {
    const identifiers = keys(tools);
    for (let i = 0; i < identifiers.length; i++) {
      if (tools[identifiers[i]] !== target) continue;
      listedFirst ??= jsonParse(catalog)[0];
      const { description } = /** @type {Listed[]} */ (listedFirst)[i];
      return { signature: `tools.${identifiers[i]}(input)`, description };
    }
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
