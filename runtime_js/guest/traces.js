/**
 * Stacks as a program and its caller may see them: frames of `program.js`, nothing of ours.
 *
 * `formatStack` is the realm's `Error.prepareStackTrace`. The call sites it gets belong to the
 * outer realm: they are read here and never handed on. What was read is remembered by error, so
 * that a position is a fact of the engine and not text a program can write into `stack`. A program
 * can call the hook, but has no call sites to call it with.
 */

/** @typedef {import("./primordials.js").Primordials} Primordials */
/** @typedef {{frames: string, line: number | null, column: number | null}} Trace */
/** @typedef {ReturnType<typeof makeTraces>} Traces */

/** @param {Primordials} primordials */
export function makeTraces(primordials) {
  const { Error, WeakMap, captureStackTrace, getOwnPropertyDescriptor } = primordials;
  const { deleteProperty, getPrototypeOf, weakMapGet, weakMapSet } = primordials;

  const PROGRAM = "program.js";
  const MAX_FRAMES = 10;
  // Lines of the wrapper above a program (see `compile.js`). The engine could subtract them, but
  // stops doing so when the program has a `sourceURL` comment.
  const HEAD_LINES = 2;
  /** @type {Trace} */
  const UNKNOWN = { frames: "", line: null, column: null };
  /** @type {WeakMap<object, Trace>} */
  const known = new WeakMap();
  const callSitePrototype = getPrototypeOf(callSite());

  return { formatStack, traceOf };

  /**
   * @param {object} error An Error, or the target of `Error.captureStackTrace`.
   * @param {any[]} sites
   */
  function formatStack(error, sites) {
    const trace = readSites(sites);
    try {
      weakMapSet(known, error, trace);
    } catch {
      // Called by a program with something that is no object: it gets text, we keep nothing.
    }
    const head = headline(error);
    return trace.frames === "" ? head : `${head}\n${trace.frames}`;
  }

  /** Any call site of the engine. Runs before the program, on an untouched realm. */
  function callSite() {
    const hooks = /** @type {any} */ (Error);
    hooks.prepareStackTrace = (/** @type {object} */ _, /** @type {any[]} */ sites) => sites[0];
    const here = /** @type {any} */ ({});
    captureStackTrace(here);
    const site = here.stack;
    deleteProperty(hooks, "prepareStackTrace");
    return site;
  }

  /** @param {any[]} sites */
  function readSites(sites) {
    /** @type {Trace} */
    const trace = { frames: "", line: null, column: null };
    try {
      for (let i = 0, shown = 0; i < sites.length && shown < MAX_FRAMES; i++) {
        const site = sites[i];
        if (getPrototypeOf(site) !== callSitePrototype) return trace;
        if (site.getFileName() !== PROGRAM) continue;
        const line = site.getLineNumber() - HEAD_LINES;
        const column = site.getColumnNumber();
        if (trace.line === null) {
          trace.line = line;
          trace.column = column;
        } else {
          trace.frames += "\n";
        }
        trace.frames += frame(site, `${PROGRAM}:${line}:${column}`);
        shown++;
      }
    } catch {
      // Near the stack limit a call site throws an error of the outer realm: it must end here.
      return trace;
    }
    return trace;
  }

  /**
   * @param {any} site
   * @param {string} place
   */
  function frame(site, place) {
    const name = site.getFunctionName();
    if (name === null || name === "") return `    at ${site.isAsync() ? "async " : ""}${place}`;
    const prefix = site.isConstructor() ? "new " : site.isAsync() ? "async " : "";
    return `    at ${prefix}${name} (${place})`;
  }

  /** @param {any} error */
  function headline(error) {
    try {
      const name = error.name === undefined ? "Error" : `${error.name}`;
      const message = error.message === undefined ? "" : `${error.message}`;
      if (message === "") return name;
      return name === "" ? message : `${name}: ${message}`;
    } catch {
      return "Error";
    }
  }

  /**
   * Where an error was made. Reads no property a program has replaced by its own.
   *
   * @param {object} error
   * @returns {Trace}
   */
  function traceOf(error) {
    try {
      // The engine formats a stack when it is first read; its own accessor has no `value`.
      const own = getOwnPropertyDescriptor(error, "stack");
      if (own !== undefined && own.get !== undefined) /** @type {any} */ (error).stack;
    } catch {
      return UNKNOWN;
    }
    return weakMapGet(known, error) ?? UNKNOWN;
  }
}
