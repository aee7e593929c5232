/**
 * Frames on their way out: msgpack tokens into one growing buffer.
 *
 * While a value is encoded, a getter of the program may make a call of its own. Its frame begins
 * behind the unfinished one and is sent from there; then the unfinished one goes on. The buffer
 * is a stack of frames.
 *
 *     offset | size | field                        | filled in by
 *     0      | 4    | length of the rest           | outer realm
 *     4      | 1    | array header                 | here
 *     5      | 9    | 0xcf and the tag of the run  | outer realm, wiped after the write
 *     14     | 1    | kind                         | here
 */

/** @typedef {import("./primordials.js").Primordials} Primordials */
/** @typedef {import("./host_link.js").HostLink} HostLink */
/** @typedef {ReturnType<typeof makeWriter>} Writer */
/** @typedef {{position: number, exceed: () => never}} Ceiling `exceed` throws. */

/**
 * @param {Primordials} primordials
 * @param {HostLink} link
 */
export function makeWriter(primordials, link) {
  const { ArrayBuffer, DataView, RangeError, Uint8Array } = primordials;
  const { dataViewSetFloat64, floor, stringCharCodeAt, typedArraySet } = primordials;
  const { typedArrayLength } = primordials;

  const KIND_OFFSET = 14;
  const HEADER_OFFSET = 4;
  const FIXED_FIELDS = 2; // tag and kind
  const INITIAL_BYTES = 64 * 1024;
  // A buffer that grew beyond this for one frame is let go after it.
  const KEPT_BYTES = 1024 * 1024;
  // Above this many units a trip to the outer realm beats the loop.
  const SHORT_TEXT = 48;
  const TWO_32 = 4294967296;

  let buffer = new ArrayBuffer(INITIAL_BYTES);
  let bytes = new Uint8Array(buffer);
  let view = new DataView(buffer);
  let capacity = INITIAL_BYTES;
  let position = 0;
  /** @type {Ceiling} */
  let ceiling = { position: Infinity, exceed: noCeiling };

  return {
    output: () => buffer,
    at: () => position,
    send,
    capture,
    rewind,
    limit,
    check,
    nil: () => byte(0xc0),
    /** @param {boolean} value */
    boolean: (value) => byte(value ? 0xc3 : 0xc2),
    integer,
    float,
    text,
    binary,
    raw,
    arrayHeader,
    mapHeader,
    patchMapHeader,
    index,
    patchIndex,
  };

  /**
   * Sends one frame. When filling it throws, nothing is sent.
   *
   * @param {number} kind
   * @param {number} fields
   * @param {() => void} fill
   */
  function send(kind, fields, fill) {
    const start = position;
    try {
      room(KIND_OFFSET + 1);
      bytes[start + HEADER_OFFSET] = 0x90 | (fields + FIXED_FIELDS);
      bytes[start + KIND_OFFSET] = kind;
      position = start + KIND_OFFSET + 1;
      fill();
      link.write(start, position);
    } finally {
      position = start;
      shrink();
    }
  }

  /**
   * Encodes something for later use.
   *
   * @param {() => void} fill
   * @returns {Uint8Array}
   */
  function capture(fill) {
    const start = position;
    try {
      fill();
      const copy = new Uint8Array(position - start);
      typedArraySet(copy, new Uint8Array(buffer, start, position - start));
      return copy;
    } finally {
      position = start;
    }
  }

  /** Lets a large buffer go; a frame that was sent stays sent when that fails. */
  function shrink() {
    if (position > 0 || capacity <= KEPT_BYTES) return;
    try {
      resize(INITIAL_BYTES);
    } catch {
      // The stack is used up: the buffer goes after another frame.
    }
  }

  /** @param {number} start Takes back what was written from there on. */
  function rewind(start) {
    position = start;
  }

  /**
   * Sets the position that texts and bytes may not pass, and what happens when they do.
   *
   * @param {Ceiling} wanted
   * @returns {Ceiling} The former one, to be set again afterwards.
   */
  function limit(wanted) {
    const former = ceiling;
    ceiling = wanted;
    return former;
  }

  function check() {
    if (position > ceiling.position) ceiling.exceed();
  }

  /** @returns {never} */
  function noCeiling() {
    throw new RangeError("the frame is too large");
  }

  /** @param {number} size */
  function room(size) {
    const needed = position + size;
    if (needed <= capacity) return;
    let larger = capacity * 2;
    while (larger < needed) larger *= 2;
    resize(larger);
  }

  /**
   * Moves to another buffer, or stays entirely when the outer realm cannot be told.
   *
   * @param {number} size
   */
  function resize(size) {
    const former = buffer;
    const moved = new ArrayBuffer(size);
    const movedBytes = new Uint8Array(moved);
    const movedView = new DataView(moved);
    if (position > 0) typedArraySet(movedBytes, bytes);
    buffer = moved;
    try {
      link.outputMoved();
    } catch (error) {
      buffer = former;
      throw error;
    }
    bytes = movedBytes;
    view = movedView;
    capacity = size;
  }

  /** @param {number} value */
  function byte(value) {
    if (position >= capacity) room(1);
    bytes[position++] = value;
  }

  /**
   * @param {number} marker
   * @param {number} value Unsigned, 16 bits.
   */
  function short(marker, value) {
    room(3);
    bytes[position++] = marker;
    bytes[position++] = value >> 8;
    bytes[position++] = value;
  }

  /**
   * @param {number} marker
   * @param {number} value 32 bits.
   */
  function long(marker, value) {
    room(5);
    bytes[position++] = marker;
    word(position, value);
    position += 4;
  }

  /**
   * @param {number} at
   * @param {number} value 32 bits.
   */
  function word(at, value) {
    bytes[at] = value >>> 24;
    bytes[at + 1] = value >>> 16;
    bytes[at + 2] = value >>> 8;
    bytes[at + 3] = value;
  }

  /** @param {number} value A safe integer. */
  function integer(value) {
    if (value >= 0) {
      if (value < 0x80) byte(value);
      else if (value < 0x100) pair(0xcc, value);
      else if (value < 0x10000) short(0xcd, value);
      else if (value < TWO_32) long(0xce, value);
      else wide(0xcf, value);
    } else if (value >= -0x20) byte(value);
    else if (value >= -0x80) pair(0xd0, value);
    else if (value >= -0x8000) short(0xd1, value);
    else if (value >= -0x80000000) long(0xd2, value);
    else wide(0xd3, value);
  }

  /**
   * @param {number} marker
   * @param {number} value 8 bits.
   */
  function pair(marker, value) {
    byte(marker);
    byte(value);
  }

  /**
   * @param {number} marker
   * @param {number} value A safe integer, as 64 bits in two's complement.
   */
  function wide(marker, value) {
    long(marker, floor(value / TWO_32));
    room(4);
    word(position, value % TWO_32);
    position += 4;
  }

  /** @param {number} value */
  function float(value) {
    room(9);
    bytes[position++] = 0xcb;
    dataViewSetFloat64(view, position, value);
    position += 8;
  }

  /** @param {string} value */
  function text(value) {
    const length = value.length;
    if (length > SHORT_TEXT || !shortText(value, length)) longText(value, length);
    check();
  }

  /**
   * Writes ASCII; leaves everything as it was when there is something else.
   *
   * @param {string} value
   * @param {number} length
   */
  function shortText(value, length) {
    room(SHORT_TEXT + 2);
    let at = length < 0x20 ? position + 1 : position + 2;
    for (let i = 0; i < length; i++) {
      const unit = stringCharCodeAt(value, i);
      if (unit > 0x7f) return false;
      bytes[at++] = unit;
    }
    if (length < 0x20) {
      bytes[position] = 0xa0 | length;
    } else {
      bytes[position] = 0xd9;
      bytes[position + 1] = length;
    }
    position = at;
    return true;
  }

  /**
   * The header has room for the longest encoding; its number is filled in afterwards.
   *
   * @param {string} value
   * @param {number} length
   */
  function longText(value, length) {
    const most = length * 3;
    refuseBeyond(length);
    room(most + 5);
    const start = position;
    const header = most < 0x20 ? 1 : most < 0x100 ? 2 : most < 0x10000 ? 3 : 5;
    const size = link.encodeText(value, start + header);
    if (header === 1) bytes[start] = 0xa0 | size;
    else if (header === 2) {
      bytes[start] = 0xd9;
      bytes[start + 1] = size;
    } else if (header === 3) {
      bytes[start] = 0xda;
      bytes[start + 1] = size >> 8;
      bytes[start + 2] = size;
    } else {
      bytes[start] = 0xdb;
      word(start + 1, size);
    }
    position = start + header + size;
  }

  /** @param {Uint8Array} value */
  function binary(value) {
    const length = typedArrayLength(value);
    refuseBeyond(length);
    if (length < 0x100) pair(0xc4, length);
    else if (length < 0x10000) short(0xc5, length);
    else long(0xc6, length);
    raw(value);
  }

  /** @param {Uint8Array} encoded Bytes that are msgpack already. */
  function raw(encoded) {
    const length = typedArrayLength(encoded);
    room(length);
    typedArraySet(bytes, encoded, position);
    position += length;
  }

  /** @param {number} length */
  function arrayHeader(length) {
    if (length < 0x10) byte(0x90 | length);
    else if (length < 0x10000) short(0xdc, length);
    else long(0xdd, length);
  }

  /** @param {number} length */
  function mapHeader(length) {
    if (length < 0x10) byte(0x80 | length);
    else if (length < 0x10000) short(0xde, length);
    else long(0xdf, length);
  }

  /**
   * Corrects the number in a map's header; its width stays.
   *
   * @param {number} at Where the header is.
   * @param {number} length At most the number written there.
   */
  function patchMapHeader(at, length) {
    const marker = bytes[at];
    if (marker === 0xdf) word(at + 1, length);
    else if (marker === 0xde) {
      bytes[at + 1] = length >> 8;
      bytes[at + 2] = length;
    } else bytes[at] = 0x80 | length;
  }

  /** An unsigned number of fixed width, known only later. */
  function index() {
    long(0xce, 0);
    return position - 4;
  }

  /**
   * @param {number} at What `index` returned.
   * @param {number} value
   */
  function patchIndex(at, value) {
    word(at, value);
  }

  /**
   * Asked before bytes are copied: what cannot fit is not copied first.
   *
   * @param {number} length
   */
  function refuseBeyond(length) {
    if (position + length > ceiling.position) ceiling.exceed();
  }
}
