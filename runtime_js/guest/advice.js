/**
 * One sentence of advice for the mistakes models make most: a tool that is not there under that
 * name, and globals of Node.js and browsers.
 *
 * Only the outcome carries advice; a program that catches the error sees the engine's own text.
 */

/** @typedef {import("./primordials.js").Primordials} Primordials */
/** @typedef {import("./errors.js").ErrorData} ErrorData */
/** @typedef {ReturnType<typeof makeAdvice>} Advice */

/** @param {Primordials} primordials */
export function makeAdvice(primordials) {
  const { arrayJoin, arraySort, list, min, stringCharCodeAt, stringIncludes } = primordials;
  const { stringSlice, stringStartsWith, stringToLowerCase } = primordials;

  const NOT_A_FUNCTION = " is not a function";
  const NOT_DEFINED = " is not defined";
  const TOOLS = "tools.";
  const MAX_SUGGESTIONS = 3;
  const MAX_NAME = 100;

  const NO_TIMER = "There are no timers here; call the tools directly and await them.";
  const NO_NETWORK = "There is no network here; use a tool for requests.";
  const NO_NODE = "There is no Node.js here; use the functions under tools.";
  const NO_MODULES = "Programs cannot load modules; everything available is a global.";
  const NO_WEB = "Only ECMAScript is available here, no browser API.";
  /** @type {Record<string, string | undefined>} */
  const GLOBALS = /** @type {any} */ ({
    __proto__: null,
    setTimeout: NO_TIMER,
    setInterval: NO_TIMER,
    setImmediate: NO_TIMER,
    clearTimeout: NO_TIMER,
    clearInterval: NO_TIMER,
    requestAnimationFrame: NO_TIMER,
    queueMicrotask: "Use a promise: Promise.resolve().then(...).",
    fetch: NO_NETWORK,
    XMLHttpRequest: NO_NETWORK,
    WebSocket: NO_NETWORK,
    EventSource: NO_NETWORK,
    Request: NO_NETWORK,
    Response: NO_NETWORK,
    Headers: NO_NETWORK,
    require: NO_MODULES,
    module: NO_MODULES,
    exports: NO_MODULES,
    __dirname: NO_NODE,
    __filename: NO_NODE,
    process: NO_NODE,
    global: "Use globalThis.",
    Deno: "Deno's own API is not available here; use the functions under tools.",
    Bun: NO_NODE,
    fs: "There is no file system here; use a tool to read and write files.",
    path: NO_NODE,
    Buffer: "Bytes are Uint8Array here; it has fromBase64, toBase64, fromHex and toHex.",
    URL: "Only ECMAScript is available here; take the text of the URL apart with string methods.",
    URLSearchParams: "Only ECMAScript is available here; use encodeURIComponent.",
    TextEncoder: "Only ECMAScript is available here; encodeURIComponent shows the UTF-8 of a text.",
    TextDecoder: "Only ECMAScript is available here; tools return text as strings already.",
    structuredClone: "For JSON values use JSON.parse(JSON.stringify(value)).",
    atob: "Use Uint8Array.fromBase64(text).",
    btoa: "Use new Uint8Array(...).toBase64().",
    performance: "Use Date.now(), in whole milliseconds.",
    crypto: "There is no crypto here; Math.random() is good enough for sampling only.",
    AbortController: "A run is cancelled as a whole; there is nothing to abort here.",
    AbortSignal: "A run is cancelled as a whole; there is nothing to abort here.",
    Atomics: "There are no threads here.",
    SharedArrayBuffer: "There are no threads here; use ArrayBuffer.",
    Worker: "There are no threads here; calls to tools overlap by themselves with Promise.all.",
    WebAssembly: "WebAssembly is not available here.",
    WeakRef: "Garbage collection cannot be observed here; use WeakMap.",
    FinalizationRegistry: "Garbage collection cannot be observed here.",
    window: NO_WEB,
    document: NO_WEB,
    navigator: NO_WEB,
    localStorage: "Use store(key, value) and load(key).",
    sessionStorage: "Use store(key, value) and load(key).",
    print: "Use text(value) or console.log(value).",
    alert: "Use text(value).",
    prompt: "Programs cannot ask people questions.",
  });

  return { add };

  /**
   * Appends advice to the message of the error that ends a run, where there is any.
   *
   * @param {ErrorData} error
   * @param {string[]} identifiers Of the tools this run can call.
   */
  function add(error, identifiers) {
    const sentence = error.name === "TypeError"
      ? forCall(error.message, identifiers)
      : error.name === "ReferenceError"
      ? forGlobal(error.message)
      : undefined;
    if (sentence !== undefined) error.message += `. ${sentence}`;
  }

  /** @param {string} message */
  function forGlobal(message) {
    const name = before(message, NOT_DEFINED);
    return name === undefined ? undefined : GLOBALS[name];
  }

  /**
   * @param {string} message
   * @param {string[]} identifiers
   */
  function forCall(message, identifiers) {
    const callee = before(message, NOT_A_FUNCTION);
    if (callee === undefined || !stringStartsWith(callee, TOOLS)) return undefined;
    const near = nearest(stringSlice(callee, TOOLS.length), identifiers);
    if (near.length > 0) return `Did you mean ${arrayJoin(near, ", ")}?`;
    if (identifiers.length === 0) return "This run has no tools.";
    return "ALL_TOOLS lists the tools of this run.";
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

  /**
   * The names most like the wanted one, nearest first.
   *
   * @param {string} wanted
   * @param {string[]} identifiers
   * @returns {string[]}
   */
  function nearest(wanted, identifiers) {
    const target = stringToLowerCase(wanted);
    const most = 1 + primordials.floor(target.length / 3);
    const found = list();
    for (let i = 0; i < identifiers.length; i++) {
      const name = stringToLowerCase(stringSlice(identifiers[i], 0, MAX_NAME));
      const isPart = target.length > 2 &&
        (stringIncludes(name, target) || stringIncludes(target, name));
      const steps = isPart ? most : distance(target, name);
      if (steps <= most) found[found.length] = { name: identifiers[i], steps, index: i };
    }
    arraySort(found, (a, b) => a.steps - b.steps || a.index - b.index);
    const names = list();
    for (let i = 0; i < found.length && i < MAX_SUGGESTIONS; i++) names[i] = TOOLS + found[i].name;
    return names;
  }

  /**
   * Levenshtein distance.
   *
   * @param {string} left
   * @param {string} right
   */
  function distance(left, right) {
    const row = list();
    for (let j = 0; j <= right.length; j++) row[j] = j;
    for (let i = 1; i <= left.length; i++) {
      let diagonal = row[0];
      row[0] = i;
      for (let j = 1; j <= right.length; j++) {
        const isSame = stringCharCodeAt(left, i - 1) === stringCharCodeAt(right, j - 1);
        const substituted = diagonal + (isSame ? 0 : 1);
        diagonal = row[j];
        row[j] = min(substituted, min(row[j], row[j - 1]) + 1);
      }
    }
    return row[right.length];
  }
}
