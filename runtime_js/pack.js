/**
 * msgpack for the few small values the outer realm itself makes.
 *
 * Values of programs never come here; the realm they live in encodes them (`guest/encoder.js`).
 */

/** @typedef {boolean | number | string | any[] | {[key: string]: any}} Packable */

const encoder = new TextEncoder();

/**
 * @param {Packable} value
 * @returns {number[]} Bytes.
 */
export function pack(value) {
  if (typeof value === "boolean") return [value ? 0xc3 : 0xc2];
  if (typeof value === "number") return word(0xce, value);
  if (typeof value === "string") {
    const bytes = encoder.encode(value);
    return [...word(0xdb, bytes.length), ...bytes];
  }
  if (Array.isArray(value)) return [...word(0xdd, value.length), ...value.flatMap(pack)];
  const entries = Object.entries(value);
  return [...word(0xdf, entries.length), ...entries.flat().flatMap(pack)];
}

/**
 * @param {number} marker
 * @param {number} value Unsigned, 32 bits.
 */
function word(marker, value) {
  return [marker, value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff];
}
