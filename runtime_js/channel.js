/**
 * Frames over the standard streams, blocking (see `docs/protocol.md`).
 *
 *     offset | size | field
 *     0      | 4    | length of the rest, big-endian
 *     4      | 1    | array header
 *     5      | 9    | 0xcf and the tag of the run
 *     14     | 1    | kind
 *     15     |      | fields
 *
 * The worker has no timers and no other input, so it may block. The streams are captured when the
 * channel is opened, and `Deno` is taken away from everything else. The tag of a run stays here.
 */

import { pack } from "./pack.js";

/** @typedef {ReturnType<typeof openChannel>} Channel */
/** @typedef {import("./pack.js").Packable} Packable */

const LENGTH_BYTES = 4;
const TAG_OFFSET = 6;
const TAG_BYTES = 8;
const KIND_OFFSET = 14;
const FIELDS_OFFSET = 15;

const ARRAY_OF_TWO = 0x92;
const ARRAY_OF_FIFTEEN = 0x9f;
const UINT_64 = 0xcf;

// Most frames of the host fit, and come with one read.
const INPUT_BYTES = 64 * 1024;
// No limit of the host is near it; a length beyond it is not a length.
const MAX_FRAME_BYTES = 1024 * 1024 * 1024;

// EX_SOFTWARE: the worker itself failed. Uncaught errors of Deno end with 1.
const EXIT_FATAL = 70;

export function openChannel() {
  const stdin = Deno.stdin;
  const stdout = Deno.stdout;
  const stderr = Deno.stderr;
  const exit = Deno.exit;
  const versions = { deno: Deno.version.deno, v8: Deno.version.v8 };
  Reflect.deleteProperty(globalThis, "Deno");

  const input = new Uint8Array(INPUT_BYTES);
  const tag = new Uint8Array(TAG_BYTES);
  let taken = 0;
  let filled = 0;
  let isCut = false;

  return { versions, receive, send, announce, build, leave, fail };

  /**
   * Waits for one frame.
   *
   * @param {(size: number) => Uint8Array} room Where fields of a size go.
   * @returns {{kind: number, length: number} | null} Kind and size of the fields; null at the end
   *   of the input.
   */
  function receive(room) {
    if (!fill(FIELDS_OFFSET)) {
      if (taken === filled) return null;
      fail("the input ends within a frame");
    }
    const start = taken;
    const length = (input[start] * 0x1000000) + (input[start + 1] << 16) +
      (input[start + 2] << 8) + input[start + 3];
    const header = input[start + LENGTH_BYTES];
    const kind = input[start + KIND_OFFSET];
    const isPrelude = header >= ARRAY_OF_TWO && header <= ARRAY_OF_FIFTEEN &&
      input[start + LENGTH_BYTES + 1] === UINT_64;
    const size = length - (FIELDS_OFFSET - LENGTH_BYTES);
    if (!isPrelude || size < 0 || length > MAX_FRAME_BYTES) {
      fail("bytes that are not the start of a frame");
    }
    tag.set(input.subarray(start + TAG_OFFSET, start + TAG_OFFSET + TAG_BYTES));
    taken = start + FIELDS_OFFSET;
    take(room(size), size);
    return { kind, length: size };
  }

  /**
   * Reads until so many bytes are there; false at the end of the input.
   *
   * @param {number} size
   */
  function fill(size) {
    if (taken === filled) taken = filled = 0;
    while (filled - taken < size) {
      if (taken + size > INPUT_BYTES) {
        input.copyWithin(0, taken, filled);
        filled -= taken;
        taken = 0;
      }
      const count = stdin.readSync(input.subarray(filled));
      if (count === null) return false;
      filled += count;
    }
    return true;
  }

  /**
   * @param {Uint8Array} target
   * @param {number} size
   */
  function take(target, size) {
    const ready = Math.min(size, filled - taken);
    target.set(input.subarray(taken, taken + ready));
    taken += ready;
    for (let at = ready; at < size;) {
      const count = stdin.readSync(target.subarray(at, size));
      if (count === null) fail("the input ends within a frame");
      at += count;
    }
  }

  /**
   * Sends a frame a realm has built; its length and the run's tag are filled in here, and the tag
   * is gone again before the realm sees its buffer.
   *
   * @param {Uint8Array} bytes A buffer with the frame in it.
   * @param {number} start
   * @param {number} end
   */
  function send(bytes, start, end) {
    const length = end - start - LENGTH_BYTES;
    bytes[start] = length >>> 24;
    bytes[start + 1] = length >>> 16;
    bytes[start + 2] = length >>> 8;
    bytes[start + 3] = length;
    bytes[start + TAG_OFFSET - 1] = UINT_64;
    for (let i = 0; i < TAG_BYTES; i++) bytes[start + TAG_OFFSET + i] = tag[i];
    try {
      write(bytes, start, end);
    } finally {
      for (let i = 0; i < TAG_BYTES; i++) bytes[start + TAG_OFFSET + i] = 0;
    }
  }

  /**
   * Writes all of it, or throws before anything was written: a program may have used the stack
   * up. What is cut in two would make the bytes after it look like frames; that is fatal.
   *
   * @param {Uint8Array} bytes
   * @param {number} start
   * @param {number} end
   */
  function write(bytes, start, end) {
    if (isCut) fail("a frame was cut in two");
    let at = start;
    try {
      while (at < end) {
        at += stdout.writeSync(bytes.subarray(at, end));
        isCut = at < end;
      }
    } catch (error) {
      if (isCut || !(error instanceof RangeError)) fail(`a frame could not be written: ${error}`);
      throw error;
    }
  }

  /**
   * Sends a message that belongs to no run.
   *
   * @param {number} kind
   * @param {Packable[]} fields
   */
  function announce(kind, fields) {
    tag.fill(0);
    const bytes = build(kind, fields);
    send(bytes, 0, bytes.length);
  }

  /**
   * A frame but for what `send` fills in.
   *
   * @param {number} kind
   * @param {Packable[]} fields
   */
  function build(kind, fields) {
    return new Uint8Array([
      ...new Array(LENGTH_BYTES).fill(0),
      ARRAY_OF_TWO + fields.length,
      ...new Array(TAG_BYTES + 1).fill(0),
      kind,
      ...fields.flatMap(pack),
    ]);
  }

  /** @returns {never} */
  function leave() {
    throw exit(0);
  }

  /**
   * Ends the worker at once, with a line on standard error.
   *
   * @param {string} why
   * @returns {never}
   */
  function fail(why) {
    stderr.writeSync(new TextEncoder().encode(`worker: ${why}\n`));
    throw exit(EXIT_FATAL);
  }
}
