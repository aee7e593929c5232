/**
 * Frames on their way in: msgpack fields from the input buffer to values of the realm.
 *
 * Objects get every key as an own property, whatever it is called and whatever a program did to
 * the prototypes: assignment is used where it can only define, `defineProperty` elsewhere. No
 * code of the program runs here.
 */

/** @typedef {import("./primordials.js").Primordials} Primordials */
/** @typedef {import("./host_link.js").HostLink} HostLink */
/** @typedef {ReturnType<typeof makeReader>} Reader */

/**
 * @param {Primordials} primordials
 * @param {HostLink} link
 */
export function makeReader(primordials, link) {
  const { ArrayBuffer, BigInt, DataView, Error, Uint8Array, arrayPrototype } = primordials;
  const { dataViewGetFloat64, defineProperty, fromCharCode, getPrototypeOf } = primordials;
  const { objectPrototype, ownKeys, stringCharCodeAt, typedArraySet } = primordials;

  const INITIAL_BYTES = 64 * 1024;
  const KEPT_BYTES = 1024 * 1024;
  const MAX_DEPTH = 200;
  // Above this many bytes a trip to the outer realm beats the loop.
  const SHORT_TEXT = 64;
  const CACHED_KEYS = 512;
  const TWO_32 = 4294967296;
  const MAX_SAFE = 9007199254740991;

  let buffer = new ArrayBuffer(INITIAL_BYTES);
  let bytes = new Uint8Array(buffer);
  let view = new DataView(buffer);
  let capacity = INITIAL_BYTES;
  let position = 0;
  let end = 0;
  let canAssignElements = true;

  /** @type {string[]} Keys seen before, by a hash of their bytes. */
  const seenKeys = primordials.list();
  const ascii = primordials.list();
  for (let i = 0; i < 0x80; i++) ascii[i] = fromCharCode(i);

  return { room, begin, finish, value };

  /**
   * The buffer the outer realm puts the next fields into.
   *
   * @param {number} size
   */
  function room(size) {
    if (size > capacity) resize(size);
    return buffer;
  }

  /** @param {number} size */
  function resize(size) {
    buffer = new ArrayBuffer(size);
    bytes = new Uint8Array(buffer);
    view = new DataView(buffer);
    capacity = size;
  }

  /** @param {number} length Bytes of the fields that were put there. */
  function begin(length) {
    position = 0;
    end = length;
    canAssignElements = getPrototypeOf(arrayPrototype) === objectPrototype &&
      !hasIndex(arrayPrototype) && !hasIndex(objectPrototype);
  }

  /** Lets a large buffer go. */
  function finish() {
    if (capacity > KEPT_BYTES) resize(INITIAL_BYTES);
  }

  /**
   * Whether an object has elements; integer keys come first.
   *
   * @param {object} holder
   */
  function hasIndex(holder) {
    const first = ownKeys(holder)[0];
    if (typeof first !== "string" || first === "") return false;
    const unit = stringCharCodeAt(first, 0);
    return unit >= 0x30 && unit <= 0x39;
  }

  /** @returns {never} */
  function malformed() {
    throw new Error("malformed fields");
  }

  /** @returns {any} The next value of the frame. */
  function value() {
    return read(0);
  }

  /**
   * @param {number} depth
   * @returns {any}
   */
  function read(depth) {
    if (position >= end) malformed();
    const marker = bytes[position++];
    if (marker < 0x80) return marker;
    if (marker < 0x90) return map(marker & 0x0f, depth);
    if (marker < 0xa0) return array(marker & 0x0f, depth);
    if (marker < 0xc0) return text(marker & 0x1f);
    if (marker >= 0xe0) return marker - 0x100;
    return readLong(marker, depth);
  }

  /**
   * @param {number} marker
   * @param {number} depth
   */
  function readLong(marker, depth) {
    switch (marker) {
      case 0xc0:
        return null;
      case 0xc2:
        return false;
      case 0xc3:
        return true;
      case 0xc4:
        return binary(unsigned(1));
      case 0xc5:
        return binary(unsigned(2));
      case 0xc6:
        return binary(unsigned(4));
      case 0xcb:
        return float();
      case 0xd9:
        return text(unsigned(1));
      case 0xda:
        return text(unsigned(2));
      case 0xdb:
        return text(unsigned(4));
      case 0xdc:
        return array(unsigned(2), depth);
      case 0xdd:
        return array(unsigned(4), depth);
      case 0xde:
        return map(unsigned(2), depth);
      case 0xdf:
        return map(unsigned(4), depth);
      default:
        return integer(marker);
    }
  }

  /** @param {number} marker */
  function integer(marker) {
    switch (marker) {
      case 0xcc:
        return unsigned(1);
      case 0xcd:
        return unsigned(2);
      case 0xce:
        return unsigned(4);
      case 0xcf:
        return wide(unsigned(4), unsigned(4));
      case 0xd0:
        return (unsigned(1) << 24) >> 24;
      case 0xd1:
        return (unsigned(2) << 16) >> 16;
      case 0xd2:
        return unsigned(4) | 0;
      case 0xd3:
        return wide(unsigned(4) | 0, unsigned(4));
      default:
        return malformed();
    }
  }

  /**
   * Moves over so many bytes.
   *
   * @param {number} size
   * @returns {number} Where they begin.
   */
  function skip(size) {
    const start = position;
    if (size > end - start) malformed();
    position = start + size;
    return start;
  }

  /** @param {number} size 1, 2 or 4. */
  function unsigned(size) {
    const start = skip(size);
    let number = 0;
    for (let i = start; i < position; i++) number = number * 0x100 + bytes[i];
    return number;
  }

  /**
   * @param {number} high
   * @param {number} low
   * @returns {number | string} A decimal string when a number cannot hold it.
   */
  function wide(high, low) {
    const number = high * TWO_32 + low;
    if (number <= MAX_SAFE && number >= -MAX_SAFE) return number;
    return `${(BigInt(high) << 32n) + BigInt(low)}`;
  }

  function float() {
    return dataViewGetFloat64(view, skip(8));
  }

  /** @param {number} size */
  function binary(size) {
    const start = skip(size);
    const copy = new Uint8Array(size);
    typedArraySet(copy, new Uint8Array(buffer, start, size));
    return copy;
  }

  /** @param {number} size */
  function text(size) {
    const start = skip(size);
    if (size > SHORT_TEXT) return link.decodeText(start, position);
    for (let i = start; i < position; i++) {
      if (bytes[i] > 0x7f) return link.decodeText(start, position);
    }
    return shortText(start, position);
  }

  /**
   * @param {number} start
   * @param {number} stop
   */
  function shortText(start, stop) {
    let text = "";
    let i = start;
    for (; i + 8 <= stop; i += 8) {
      text += fromCharCode(
        bytes[i],
        bytes[i + 1],
        bytes[i + 2],
        bytes[i + 3],
        bytes[i + 4],
        bytes[i + 5],
        bytes[i + 6],
        bytes[i + 7],
      );
    }
    for (; i < stop; i++) text += ascii[bytes[i]];
    return text;
  }

  /**
   * @param {number} length
   * @param {number} depth Containers around it.
   */
  function array(length, depth) {
    if (depth >= MAX_DEPTH + 1 || length > end - position) malformed();
    /** @type {any[]} */
    const items = [];
    for (let i = 0; i < length; i++) {
      const item = read(depth + 1);
      if (canAssignElements) items[i] = item;
      else define(items, i, item);
    }
    return items;
  }

  /**
   * @param {number} length
   * @param {number} depth
   */
  function map(length, depth) {
    if (depth >= MAX_DEPTH + 1 || length > end - position) malformed();
    /** @type {any} */
    const object = {};
    for (let i = 0; i < length; i++) {
      const key = readKey(depth);
      const item = read(depth + 1);
      // A name found on the prototype may be a setter or constant there: assigning is not defining.
      if (key in objectPrototype) define(object, key, item);
      else object[key] = item;
    }
    return object;
  }

  /**
   * @param {object} holder
   * @param {PropertyKey} key
   * @param {unknown} item
   */
  function define(holder, key, item) {
    defineProperty(holder, key, {
      __proto__: null,
      value: item,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }

  /**
   * Reads a key. Records repeat their keys: a string once made is found again by its bytes.
   *
   * @param {number} depth
   */
  function readKey(depth) {
    if (position >= end) malformed();
    const marker = bytes[position];
    if (marker < 0xa1 || marker > 0xbf) return `${read(depth + 1)}`;
    const size = marker & 0x1f;
    const start = position + 1;
    if (size > end - start) malformed();
    const slot = (size * 31 + bytes[start] * 7 + bytes[start + size - 1] * 13 +
      bytes[start + (size >> 1)]) % CACHED_KEYS;
    const cached = seenKeys[slot];
    if (cached !== undefined && matches(cached, start, size)) {
      position = start + size;
      return cached;
    }
    const key = read(depth + 1);
    seenKeys[slot] = key;
    return key;
  }

  /**
   * @param {string} key
   * @param {number} start
   * @param {number} size
   */
  function matches(key, start, size) {
    if (key.length !== size) return false;
    for (let i = 0; i < size; i++) {
      if (stringCharCodeAt(key, i) !== bytes[start + i]) return false;
    }
    return true;
  }
}
