/**
 * Walking a program's value: where we are, how deep, and what to say when it cannot go on.
 *
 * Shared by the msgpack encoder and the JSON writers. A walk may run code of the program (getters,
 * `toJSON`, proxies); what that code throws is reported with the path it was met at.
 */

/** @typedef {import("./primordials.js").Primordials} Primordials */
/** @typedef {ReturnType<typeof makeWalks>} Walks */
/** @typedef {ReturnType<Walks["begin"]>} Walk */

/** @param {Primordials} primordials */
export function makeWalks(primordials) {
  const { RangeError, TypeError, captureStackTrace, getPrototypeOf, isError } = primordials;
  const { jsonStringify, list, rangeErrorPrototype, stringCharCodeAt, stringSlice } = primordials;

  const MAX_DEPTH = 200;
  const SHOWN_KEY = 60;

  return { begin, enter, leave, isInside, refuse, stop, run, brief };

  /** @param {string} root First step of paths in messages. */
  function begin(root) {
    return {
      __proto__: null,
      root,
      depth: 0,
      /** Keys from the root to the place at hand. */
      steps: list(),
      /** The containers around it. */
      ancestors: list(),
      /** @type {Error | undefined} */
      refusal: undefined,
    };
  }

  /**
   * Steps into a container; throws a RangeError when that is one level too many.
   *
   * @param {Walk} walk
   * @param {object} container
   */
  function enter(walk, container) {
    if (walk.depth === MAX_DEPTH) {
      stop(walk, `${path(walk)}: values nest at most ${MAX_DEPTH} levels`);
    }
    walk.steps[walk.depth] = undefined;
    walk.ancestors[walk.depth++] = container;
  }

  /** @param {Walk} walk */
  function leave(walk) {
    walk.depth--;
  }

  /**
   * @param {Walk} walk
   * @param {object} container
   */
  function isInside(walk, container) {
    for (let i = 0; i < walk.depth; i++) {
      if (walk.ancestors[i] === container) return true;
    }
    return false;
  }

  /**
   * The place at hand as a program would write it: `argument.rows[3]["first name"]`.
   *
   * @param {Walk} walk
   */
  function path(walk) {
    let text = walk.root;
    for (let i = 0; i < walk.depth; i++) {
      const step = walk.steps[i];
      if (step === undefined) break;
      if (typeof step === "number") text += `[${step}]`;
      else if (isIdentifier(step)) text += `.${step}`;
      else text += `[${jsonStringify(stringSlice(step, 0, SHOWN_KEY))}]`;
    }
    return text;
  }

  /** @param {string} key */
  function isIdentifier(key) {
    if (key === "" || key.length > SHOWN_KEY) return false;
    for (let i = 0; i < key.length; i++) {
      const unit = stringCharCodeAt(key, i);
      const isLetter = (unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x7a;
      const isDigit = unit >= 0x30 && unit <= 0x39;
      if (!isLetter && unit !== 0x24 && unit !== 0x5f && !(isDigit && i > 0)) return false;
    }
    return true;
  }

  /**
   * @param {Walk} walk
   * @param {string} why
   * @returns {never}
   */
  function refuse(walk, why) {
    walk.refusal = new TypeError(`${path(walk)}: ${why}`);
    throw walk.refusal;
  }

  /**
   * @param {Walk} walk
   * @param {string} message Names the limit that is passed.
   * @returns {never}
   */
  function stop(walk, message) {
    walk.refusal = new RangeError(message);
    throw walk.refusal;
  }

  /**
   * Does the work of a walk; an error of the program's own code becomes one that names the path.
   * The engine's RangeErrors pass: they are limits.
   *
   * @template T
   * @param {Walk} walk
   * @param {() => T} work
   * @returns {T}
   */
  function run(walk, work) {
    try {
      return work();
    } catch (thrown) {
      // A program may throw `undefined`, which is what stands for no refusal.
      if (walk.refusal !== undefined && thrown === walk.refusal) {
        // Deep in a value the frames are all ours; from here the program's are in reach again.
        captureStackTrace(/** @type {Error} */ (thrown));
        throw thrown;
      }
      if (isRangeError(thrown)) throw thrown;
      throw new TypeError(`${path(walk)}: reading it failed with ${brief(thrown)}`, {
        // @ts-expect-error: a null prototype keeps an inherited `cause` out
        __proto__: null,
        cause: thrown,
      });
    }
  }

  /** @param {unknown} thrown */
  function isRangeError(thrown) {
    return isError(thrown) && getPrototypeOf(thrown) === rangeErrorPrototype;
  }

  /**
   * Name and message of an error, or what else was thrown; runs no code twice, throws nothing.
   *
   * @param {any} thrown
   */
  function brief(thrown) {
    try {
      if (!isError(thrown)) return typeof thrown === "string" ? thrown : typeof thrown;
      const { name, message } = /** @type {any} */ (thrown);
      return `${name}: ${message}`;
    } catch {
      return "an error";
    }
  }
}
