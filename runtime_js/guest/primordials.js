/**
 * The intrinsics the runtime relies on, captured before any program runs.
 *
 * A program may patch every prototype and every property of its realm. Runtime code therefore
 * touches intrinsics only through this record, walks arrays by index, keeps its own data in
 * null-prototype objects and lists, and uses no iterator, no RegExp and no `await`.
 *
 * Methods are uncurried: `stringSlice(text, 1)` is `text.slice(1)` as it was at start.
 */

/** @typedef {ReturnType<typeof capturePrimordials>} Primordials */

export function capturePrimordials() {
  const { bind, call } = Function.prototype;
  /** @type {<T, A extends any[], R>(method: (this: T, ...args: A) => R) => (self: T, ...args: A) => R} */
  const uncurryThis = /** @type {any} */ (bind.bind(call));
  const { getOwnPropertyDescriptor, getPrototypeOf, setPrototypeOf } = Reflect;

  /** @type {(prototype: object, name: PropertyKey) => (self: any) => any} */
  const getter = (prototype, name) =>
    uncurryThis(/** @type {any} */ (getOwnPropertyDescriptor(prototype, name)?.get));

  const typedArrayPrototype = /** @type {any} */ (getPrototypeOf(Uint8Array.prototype));
  const withResolvers = Promise.withResolvers;

  return {
    __proto__: null,
    getter,
    uncurryThis,

    apply: Reflect.apply,
    /** Descriptors are null-prototype objects: an inherited `get` would make them accessors. */
    defineProperty: /** @type {(target: object, key: PropertyKey, descriptor: object) => boolean} */
      (Reflect.defineProperty),
    deleteProperty: Reflect.deleteProperty,
    getOwnPropertyDescriptor,
    getPrototypeOf,
    ownKeys: Reflect.ownKeys,
    setPrototypeOf,
    freeze: Object.freeze,
    hasOwn: Object.hasOwn,
    isPrototypeOf: uncurryThis(Object.prototype.isPrototypeOf),
    keys: Object.keys,
    objectPrototype: Object.prototype,

    /** Elements of an array; a Proxy of one may say anything, also what is no number. */
    arrayLength: (/** @type {any} */ array) => array.length >>> 0,
    arrayJoin: /** @type {(list: any[], separator: string) => string} */
      (uncurryThis(Array.prototype.join)),
    arrayPrototype: Array.prototype,
    arraySort: /** @type {<T>(list: T[], order: (a: T, b: T) => number) => T[]} */
      (/** @type {unknown} */ (uncurryThis(Array.prototype.sort))),
    isArray: Array.isArray,

    fromCharCode: String.fromCharCode,
    stringCharCodeAt: uncurryThis(String.prototype.charCodeAt),
    stringIncludes: uncurryThis(String.prototype.includes),
    stringIndexOf: uncurryThis(String.prototype.indexOf),
    stringPadEnd: uncurryThis(String.prototype.padEnd),
    stringRepeat: uncurryThis(String.prototype.repeat),
    stringSlice: uncurryThis(String.prototype.slice),
    stringStartsWith: uncurryThis(String.prototype.startsWith),
    stringToLowerCase: uncurryThis(String.prototype.toLowerCase),
    stringToWellFormed: uncurryThis(String.prototype.toWellFormed),
    stringTrim: uncurryThis(String.prototype.trim),
    stringValueOf: uncurryThis(String.prototype.valueOf),
    symbolToString: uncurryThis(Symbol.prototype.toString),
    symbolValueOf: uncurryThis(Symbol.prototype.valueOf),
    toStringTag: /** @type {typeof Symbol.toStringTag} */ (Symbol.toStringTag),
    toPrimitive: /** @type {typeof Symbol.toPrimitive} */ (Symbol.toPrimitive),

    BigInt,
    bigIntValueOf: uncurryThis(BigInt.prototype.valueOf),
    booleanValueOf: uncurryThis(Boolean.prototype.valueOf),
    floor: Math.floor,
    min: Math.min,
    numberValueOf: uncurryThis(Number.prototype.valueOf),
    parseFloat,
    parseInt,
    toNumber: Number,

    jsonParse: JSON.parse,
    jsonStringify: JSON.stringify,

    Map,
    mapDelete: uncurryThis(Map.prototype.delete),
    mapForEach: uncurryThis(Map.prototype.forEach),
    mapGet: uncurryThis(Map.prototype.get),
    mapHas: uncurryThis(Map.prototype.has),
    mapSet: uncurryThis(Map.prototype.set),
    mapSize: /** @type {(self: Map<any, any>) => number} */ (getter(Map.prototype, "size")),
    Set,
    setAdd: uncurryThis(Set.prototype.add),
    setForEach: uncurryThis(Set.prototype.forEach),
    setHas: uncurryThis(Set.prototype.has),
    setSize: /** @type {(self: Set<any>) => number} */ (getter(Set.prototype, "size")),
    WeakMap,
    weakMapGet: uncurryThis(WeakMap.prototype.get),
    weakMapHas: uncurryThis(WeakMap.prototype.has),
    weakMapSet: uncurryThis(WeakMap.prototype.set),
    weakSetHas: uncurryThis(WeakSet.prototype.has),

    dateNow: Date.now,
    dateToISOString: uncurryThis(Date.prototype.toISOString),
    dateValueOf: uncurryThis(Date.prototype.valueOf),
    regExpFlags: /** @type {(self: RegExp) => string} */ (getter(RegExp.prototype, "flags")),
    regExpSource: /** @type {(self: RegExp) => string} */ (getter(RegExp.prototype, "source")),
    functionBind: /** @type {(target: Function, self: unknown, ...bound: unknown[]) => Function} */
      (uncurryThis(/** @type {any} */ (bind))),
    functionToString: uncurryThis(Function.prototype.toString),

    ArrayBuffer,
    DataView,
    Uint8Array,
    arrayBufferByteLength: /** @type {(self: ArrayBuffer) => number} */
      (getter(ArrayBuffer.prototype, "byteLength")),
    dataViewBuffer: getter(DataView.prototype, "buffer"),
    dataViewByteLength: getter(DataView.prototype, "byteLength"),
    dataViewByteOffset: getter(DataView.prototype, "byteOffset"),
    dataViewGetFloat64: uncurryThis(DataView.prototype.getFloat64),
    dataViewSetFloat64: uncurryThis(DataView.prototype.setFloat64),
    fromBase64: /** @type {(text: string, options: object) => Uint8Array} */
      (/** @type {any} */ (Uint8Array).fromBase64),
    isView: ArrayBuffer.isView,
    typedArrayBuffer: getter(typedArrayPrototype, "buffer"),
    typedArrayByteLength: getter(typedArrayPrototype, "byteLength"),
    typedArrayByteOffset: getter(typedArrayPrototype, "byteOffset"),
    typedArrayLength: /** @type {(self: any) => number} */ (getter(typedArrayPrototype, "length")),
    /** Name of a typed array's class; undefined for everything else. */
    typedArrayName: /** @type {(self: unknown) => string | undefined} */
      (getter(typedArrayPrototype, Symbol.toStringTag)),
    typedArraySet: uncurryThis(Uint8Array.prototype.set),

    AggregateError,
    Error,
    RangeError,
    TypeError,
    captureStackTrace: /** @type {(target: object) => void} */
      (/** @type {any} */ (Error).captureStackTrace),
    isError: /** @type {(value: unknown) => value is Error} */ (/** @type {any} */ (Error).isError),
    rangeErrorPrototype: RangeError.prototype,

    promiseThen: uncurryThis(Promise.prototype.then),
    /** `Promise.withResolvers()`; an executor would swallow a stack overflow into a rejection. */
    withResolvers: /** @type {<T = any>() => PromiseWithResolvers<T>} */
      (bind.call(withResolvers, Promise)),

    /**
     * An array no inherited setter or iterator can reach: `list[list.length] = x` only ever
     * defines an element.
     *
     * @returns {any[]}
     */
    list() {
      /** @type {any[]} */
      const list = [];
      setPrototypeOf(list, null);
      return list;
    },
  };
}
