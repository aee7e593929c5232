/**
 * The guest's codec as a filter, for a comparison with another implementation.
 *
 *     in:  length | msgpack  | length | account     a value to decode, and one to build and encode
 *     out: length | account  | length | msgpack     what was decoded, and what was encoded
 *
 * Lengths are unsigned 32 bits, big-endian. An account is JSON that loses nothing: numbers as
 * ["n", bits], integers as ["i", digits], texts as ["s", text], bytes as ["b", hex], lists as
 * ["a", items] and objects as ["o", [key, item]…].
 */

import { buildRooms } from "./units/rooms.js";

const RULE = {
  root: "value",
  isFinite: false,
  limit: Infinity,
  exceed: () => {
    throw new RangeError("too large");
  },
};

const { codec, reader, writer } = buildRooms();

/** @param {number} size */
function take(size) {
  const bytes = new Uint8Array(size);
  for (let filled = 0; filled < size;) {
    const count = Deno.stdin.readSync(bytes.subarray(filled));
    if (count === null) Deno.exit();
    filled += count;
  }
  return bytes;
}

function takeBlock() {
  return take(new DataView(take(4).buffer).getUint32(0));
}

/** @param {Uint8Array} bytes */
function put(bytes) {
  const block = new Uint8Array(4 + bytes.length);
  new DataView(block.buffer).setUint32(0, bytes.length);
  block.set(bytes, 4);
  for (let sent = 0; sent < block.length;) sent += Deno.stdout.writeSync(block.subarray(sent));
}

/** @param {Uint8Array} bytes */
function decoded(bytes) {
  new Uint8Array(reader.room(bytes.length)).set(bytes);
  reader.begin(bytes.length);
  const value = reader.value();
  reader.finish();
  return value;
}

/** @param {number} number Every NaN is the same one. */
function bits(number) {
  if (Number.isNaN(number)) return "7ff8000000000000";
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, number);
  return new Uint8Array(view.buffer).toHex();
}

/**
 * @param {any} value
 * @returns {any}
 */
function account(value) {
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "number") return ["n", bits(value)];
  if (typeof value === "string") return ["s", value];
  if (Array.isArray(value)) return ["a", value.map(account)];
  if (value instanceof Uint8Array) return ["b", value.toHex()];
  return ["o", Object.keys(value).map((key) => [key, account(value[key])])];
}

/**
 * @param {any} told
 * @returns {any}
 */
function built(told) {
  if (told === null || typeof told === "boolean") return told;
  const [type, content] = told;
  switch (type) {
    case "n":
      return new DataView(Uint8Array.fromHex(content).buffer).getFloat64(0);
    case "i":
      return BigInt(content);
    case "s":
      return content;
    case "b":
      return Uint8Array.fromHex(content);
    case "a":
      return content.map(built);
  }
  // Entries define own properties, whatever a key is called.
  return Object.fromEntries(content.map(([key, item]) => [key, built(item)]));
}

while (true) {
  const told = account(decoded(takeBlock()));
  const value = built(JSON.parse(new TextDecoder().decode(takeBlock())));
  put(new TextEncoder().encode(JSON.stringify(told)));
  put(writer.capture(() => codec.encode(value, RULE)));
}
