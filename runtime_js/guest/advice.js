/**
 * One sentence of advice for the mistakes models make most: a tool that is not there under that
 * name, a tool called without `tools.`, and globals of other languages and environments.
 *
 * Only the outcome carries advice; a program that catches the error sees the engine's own text.
 */

/** @typedef {import("./primordials.js").Primordials} Primordials */
/** @typedef {import("./errors.js").ErrorData} ErrorData */
/** @typedef {ReturnType<typeof makeAdvice>} Advice */

/**
 * @typedef {object} Vocabulary Names a program may have meant.
 * @property {() => Record<string, string | undefined>} foreign Sentences by name of a foreign
 *   global; made when a run fails, since few need them.
 * @property {string[]} globals The API's.
 * @property {Record<string, string[] | undefined>} members Functions by name of their object.
 */

/**
 * @param {Primordials} primordials
 * @param {import("./nearest.js").Nearest} nearest
 * @param {Vocabulary} vocabulary
 */
export function makeAdvice(primordials, nearest, { foreign, globals, members }) {
  const { list, stringIncludes, stringIndexOf, stringSlice, stringStartsWith } = primordials;

  const NOT_A_FUNCTION = " is not a function";
  const NOT_DEFINED = " is not defined";
  const TOOLS = "tools.";
  const MAX_NAME = 100;

  const UNDEFINED_MEMBER = "Cannot read properties of undefined (reading '";
  const NAMESPACE = "__";
  const IMPORT = "A dynamic import callback was not specified.";

  return { add };

  /**
   * Appends advice to the message of the error that ends a run, where there is any.
   *
   * @param {ErrorData} error
   * @param {string[]} identifiers Of the tools this run can call.
   */
  function add(error, identifiers) {
    const sentence = error.name === "TypeError"
      ? forType(error.message, identifiers)
      : error.name === "ReferenceError"
      ? forGlobal(error.message, identifiers)
      : undefined;
    if (sentence === undefined) return;
    const stop = error.message[error.message.length - 1] === "." ? "" : ".";
    error.message += `${stop} ${sentence}`;
  }

  /**
   * @param {string} message
   * @param {string[]} identifiers
   */
  function forGlobal(message, identifiers) {
    const name = before(message, NOT_DEFINED);
    if (name === undefined) return undefined;
    // With a tool of that name, `fetch` means the tool.
    const sentence = forSame(name, identifiers) ?? foreign()[name];
    if (sentence !== undefined) return sentence;
    const found = list();
    nearest.collect(found, name, TOOLS, identifiers);
    nearest.collect(found, name, "", globals);
    return nearest.question(found);
  }

  /**
   * @param {string} message
   * @param {string[]} identifiers
   */
  function forType(message, identifiers) {
    if (message === IMPORT) return foreign().require;
    const callee = before(message, NOT_A_FUNCTION);
    if (callee === undefined) return forNamespace(message, identifiers);
    if (callee === "tools") return "Call a tool by its name: tools.name(input).";
    // More than names: whatever was called, it is no member of ours.
    if (stringIncludes(callee, "(")) return undefined;
    const dot = stringIndexOf(callee, ".");
    if (dot < 0) return forMember(TOOLS, callee, identifiers);
    const isOptional = callee[dot - 1] === "?";
    const holder = stringSlice(callee, 0, isOptional ? dot - 1 : dot);
    const member = stringSlice(callee, dot + 1);
    if (holder !== "tools") {
      return forMember(`${holder}.`, member, members[holder]) ?? forAlias(member, identifiers);
    }
    if (identifiers.length === 0) return "This run has no tools.";
    return forMember(TOOLS, member, identifiers) ?? "ALL_TOOLS lists the tools of this run.";
  }

  /**
   * @param {string} prefix
   * @param {string} wanted
   * @param {string[] | undefined} names
   */
  function forMember(prefix, wanted, names) {
    const found = list();
    if (names !== undefined) nearest.collect(found, wanted, prefix, names);
    return nearest.question(found);
  }

  /**
   * The tool of the same letters, case aside.
   *
   * @param {string} wanted
   * @param {string[]} identifiers
   */
  function forSame(wanted, identifiers) {
    const found = list();
    nearest.collect(found, wanted, TOOLS, identifiers);
    for (let i = 0; i < found.length; i++) if (found[i].steps === 0) return nearest.question(found);
    return undefined;
  }

  /**
   * `tools` may have another name; with a tool of the very name, it is another object.
   *
   * @param {string} member
   * @param {string[]} identifiers
   */
  function forAlias(member, identifiers) {
    for (let i = 0; i < identifiers.length; i++) if (identifiers[i] === member) return undefined;
    return forSame(member, identifiers);
  }

  /**
   * Tools of servers are not grouped in objects: `tools.github.search` is `tools.github__search`.
   *
   * @param {string} message
   * @param {string[]} identifiers
   */
  function forNamespace(message, identifiers) {
    if (!stringStartsWith(message, UNDEFINED_MEMBER)) return undefined;
    const ending = NAMESPACE + stringSlice(message, UNDEFINED_MEMBER.length, -2);
    const found = list();
    for (let i = 0; i < identifiers.length; i++) {
      if (stringSlice(identifiers[i], -ending.length) !== ending) continue;
      found[found.length] = { text: TOOLS + identifiers[i], steps: 0, index: found.length };
    }
    return nearest.question(found);
  }

  /**
   * @param {string} message
   * @param {string} ending
   */
  function before(message, ending) {
    const length = message.length - ending.length;
    if (length <= 0 || length > MAX_NAME || stringSlice(message, length) !== ending) {
      return undefined;
    }
    return stringSlice(message, 0, length);
  }
}
