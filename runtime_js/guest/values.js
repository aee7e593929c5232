/**
 * The value table: what a program's object stands for when it leaves the realm as data.
 *
 * `reduce` takes one step from any object to something plainer: a primitive, an array, an object
 * of properties, or bytes. Encoders take it from there. A `toJSON` of the program's own objects
 * and classes counts; one that was put on a built-in prototype does not, since it would change
 * values the program did not write.
 */

/** @typedef {import("./primordials.js").Primordials} Primordials */
/** @typedef {import("./walk.js").Walks} Walks */
/** @typedef {import("./walk.js").Walk} Walk */
/** @typedef {ReturnType<typeof makeValues>} Values */
/** @typedef {{signature: string, description: string}} Described */

/**
 * @param {Primordials} primordials
 * @param {Walks} walks
 */
export function makeValues(primordials, walks) {
  const { Map, Set, Uint8Array, arrayPrototype, defineProperty, getOwnPropertyDescriptor } =
    primordials;
  const { getPrototypeOf, hasOwn, isArray, isError, isPrototypeOf, isView, list } = primordials;
  const { mapForEach, mapGet, mapSet, mapSize, objectPrototype, ownKeys, rangeErrorPrototype } =
    primordials;
  const { setAdd, setForEach, setHas, setSize, uncurryThis, weakSetHas, weakMapHas } = primordials;

  const prototypes = {
    arrayBuffer: ArrayBuffer.prototype,
    date: Date.prototype,
    map: Map.prototype,
    promise: Promise.prototype,
    regExp: RegExp.prototype,
    set: Set.prototype,
    weakMap: WeakMap.prototype,
    weakSet: WeakSet.prototype,
  };
  const wrappers = [
    { prototype: String.prototype, valueOf: primordials.stringValueOf },
    { prototype: Number.prototype, valueOf: primordials.numberValueOf },
    { prototype: Boolean.prototype, valueOf: primordials.booleanValueOf },
    { prototype: BigInt.prototype, valueOf: primordials.bigIntValueOf },
    { prototype: Symbol.prototype, valueOf: primordials.symbolValueOf },
  ];

  /** @type {Set<object>} */
  const builtInPrototypes = new Set();
  collectBuiltIns();

  /** @type {Map<Function, Described>} Functions of the API. */
  const described = new Map();
  /** @type {(target: Function) => Described | undefined} Those that are too many to be told one by one. */
  let describedElsewhere = () => undefined;

  return {
    isPlain,
    toJSONOf,
    reduce,
    kindOf,
    bytesOf,
    isoDate,
    regExpText,
    unwrap,
    describeFunction,
    describeElsewhere,
    signatureOf: (/** @type {Function} */ target) => descriptionOf(target)?.signature,
    readableOf,
  };

  /**
   * The readable form of a function of the API; undefined for every other one.
   *
   * @param {Function} target
   */
  function readableOf(target) {
    const known = descriptionOf(target);
    if (known === undefined || known.description === "") return known?.signature;
    return `${known.signature}: ${known.description}`;
  }

  /**
   * @param {Function} target
   * @returns {Described | undefined}
   */
  function descriptionOf(target) {
    return mapGet(described, target) ?? describedElsewhere(target);
  }

  /** Runs before the program, on an untouched realm. */
  function collectBuiltIns() {
    collectClasses(globalThis);
    collectClasses(Intl);
    setAdd(builtInPrototypes, getPrototypeOf(Uint8Array.prototype));
  }

  /** @param {object} holder */
  function collectClasses(holder) {
    const names = ownKeys(holder);
    for (let i = 0; i < names.length; i++) {
      const prototype = getOwnPropertyDescriptor(holder, names[i])?.value?.prototype;
      if (prototype !== undefined) setAdd(builtInPrototypes, prototype);
    }
  }

  /**
   * Whether an object is its own enumerable properties and nothing else.
   *
   * @param {object} value
   */
  function isPlain(value) {
    const prototype = getPrototypeOf(value);
    const isOrdinary = prototype === objectPrototype || prototype === null ||
      (prototype === arrayPrototype && isArray(value));
    return isOrdinary && !hasOwn(value, "toJSON");
  }

  /**
   * @param {Walk} walk
   * @param {any} value An object or function.
   * @returns {any} The value itself when it stands for its own properties or elements.
   */
  function reduce(walk, value) {
    switch (kindOf(value)) {
      case "function":
        return readableOf(value) ?? walks.refuse(walk, "a function cannot leave the program");
      case "date":
        return isoDate(value);
      case "map":
        return mapData(value);
      case "set":
        return setData(value);
      case "bytes":
        return bytesOf(value);
      case "error":
        return errorData(value);
      case "regexp":
        return regExpText(value);
      case "promise":
        return walks.refuse(walk, "a Promise is not a value; did you forget await?");
      case "weak":
        return walks.refuse(walk, "a weak collection cannot leave the program");
      case "wrapper":
        return unwrap(value);
      default:
        return value;
    }
  }

  /**
   * What an object is by its internals, not by what it says it is.
   *
   * @param {any} value An object or function.
   */
  function kindOf(value) {
    if (typeof value === "function") return "function";
    if (isError(value)) return "error";
    if (isView(value)) return "bytes";
    if (isArray(value)) return "array";
    if (has(prototypes.date, value, primordials.dateValueOf)) return "date";
    if (has(prototypes.map, value, mapSize)) return "map";
    if (has(prototypes.set, value, setSize)) return "set";
    if (has(prototypes.regExp, value, primordials.regExpSource)) return "regexp";
    if (has(prototypes.arrayBuffer, value, primordials.arrayBufferByteLength)) return "bytes";
    if (isPrototypeOf(prototypes.promise, value)) return "promise";
    if (has(prototypes.weakMap, value, (self) => weakMapHas(self, self))) return "weak";
    if (has(prototypes.weakSet, value, (self) => weakSetHas(self, self))) return "weak";
    return isWrapper(value) ? "wrapper" : "object";
  }

  /**
   * @param {object} prototype
   * @param {any} value
   * @param {(value: any) => unknown} probe Throws for an object that only looks the part.
   */
  function has(prototype, value, probe) {
    if (!isPrototypeOf(prototype, value)) return false;
    try {
      probe(value);
      return true;
    } catch {
      return false;
    }
  }

  /** @param {any} value */
  function isWrapper(value) {
    for (let i = 0; i < wrappers.length; i++) {
      if (has(wrappers[i].prototype, value, wrappers[i].valueOf)) return true;
    }
    return false;
  }

  /** @param {any} value */
  function unwrap(value) {
    for (let i = 0; i < wrappers.length; i++) {
      const { prototype, valueOf } = wrappers[i];
      if (has(prototype, value, valueOf)) return valueOf(value);
    }
  }

  /**
   * The conversion that counts for a value, if it has one.
   *
   * @param {any} value
   * @returns {((self: any, key: string) => any) | undefined}
   */
  function toJSONOf(value) {
    for (let holder = value; holder !== null; holder = getPrototypeOf(holder)) {
      if (setHas(builtInPrototypes, holder)) return undefined;
      if (getOwnPropertyDescriptor(holder, "toJSON") !== undefined) {
        const method = value.toJSON;
        return typeof method === "function" ? uncurryThis(method) : undefined;
      }
    }
    return undefined;
  }

  /** @param {Date} value */
  function isoDate(value) {
    const time = primordials.dateValueOf(value);
    return time === time ? primordials.dateToISOString(value) : null;
  }

  /** @param {Map<unknown, unknown>} value */
  function mapData(value) {
    const pairs = list();
    let isTextual = true;
    mapForEach(value, (/** @type {unknown} */ item, /** @type {unknown} */ key) => {
      if (typeof key !== "string") isTextual = false;
      const pair = list();
      pair[0] = key;
      pair[1] = item;
      pairs[pairs.length] = pair;
    });
    if (!isTextual) return pairs;
    /** @type {any} */
    const data = { __proto__: null };
    for (let i = 0; i < pairs.length; i++) data[pairs[i][0]] = pairs[i][1];
    return data;
  }

  /** @param {Set<unknown>} value */
  function setData(value) {
    const items = list();
    setForEach(value, (/** @type {unknown} */ item) => {
      items[items.length] = item;
    });
    return items;
  }

  /**
   * The bytes of a typed array, a DataView or an ArrayBuffer; a view, not a copy. What has lost its
   * buffer, or lies outside of one that shrank, has none.
   *
   * @param {any} value
   */
  function bytesOf(value) {
    if (byteLength(value) === 0) return new Uint8Array(0);
    if (!isView(value)) return new Uint8Array(value);
    if (primordials.typedArrayName(value) === undefined) {
      return new Uint8Array(
        primordials.dataViewBuffer(value),
        primordials.dataViewByteOffset(value),
        primordials.dataViewByteLength(value),
      );
    }
    return new Uint8Array(
      primordials.typedArrayBuffer(value),
      primordials.typedArrayByteOffset(value),
      primordials.typedArrayByteLength(value),
    );
  }

  /** @param {any} value */
  function byteLength(value) {
    if (!isView(value)) return primordials.arrayBufferByteLength(value);
    if (primordials.typedArrayName(value) !== undefined) {
      return primordials.typedArrayByteLength(value);
    }
    try {
      return primordials.dataViewByteLength(value);
    } catch (thrown) {
      // Not when the stack is used up.
      if (getPrototypeOf(/** @type {any} */ (thrown)) === rangeErrorPrototype) throw thrown;
      return 0;
    }
  }

  /** @param {any} value */
  function errorData(value) {
    /** @type {any} */
    const data = { __proto__: null, name: `${value.name}`, message: `${value.message}` };
    if (hasOwn(value, "cause")) data.cause = value.cause;
    if (hasOwn(value, "errors")) data.errors = value.errors;
    return data;
  }

  /** @param {RegExp} value */
  function regExpText(value) {
    return `/${primordials.regExpSource(value)}/${primordials.regExpFlags(value)}`;
  }

  /**
   * Makes a function of the API show what it is wherever it is converted, by the language too.
   *
   * @param {Function} target
   * @param {string} signature As a program calls it.
   * @param {string} description
   */
  function describeFunction(target, signature, description) {
    const toText = { __proto__: null, value: () => readableOf(target) };
    mapSet(described, target, { signature, description });
    defineProperty(target, "toString", toText);
    defineProperty(target, "toJSON", toText);
  }

  /**
   * Has a room say itself what some functions show.
   *
   * @param {(target: Function) => Described | undefined} find
   */
  function describeElsewhere(find) {
    describedElsewhere = find;
  }
}
