/** The rooms of the guest runtime in the test's own realm, with a host that only keeps frames. */

import { PARTS } from "../../../runtime_js/guest/parts.js";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();

export function buildRooms() {
  const primordials = PARTS.capturePrimordials();
  /** @type {Uint8Array[]} */
  const frames = [];
  const link = PARTS.connectHost(primordials, host);
  const writer = PARTS.makeWriter(primordials, link);
  const reader = PARTS.makeReader(primordials, link);
  const traces = PARTS.makeTraces(primordials);
  const walks = PARTS.makeWalks(primordials);
  const values = PARTS.makeValues(primordials, walks);
  const labels = PARTS.makeLabels(primordials, values, traces);
  const readable = PARTS.makeReadable(primordials, values, labels, () => undefined);
  const json = PARTS.makeJson(primordials, walks, values, readable.inspect);
  const codec = PARTS.makeEncoder(primordials, walks, values, writer);
  return { primordials, frames, writer, reader, walks, values, readable, json, codec };

  /**
   * @param {number} operation
   * @param {any} first
   * @param {any} second
   */
  function host(operation, first, second) {
    switch (operation) {
      case 0:
        return frames.push(output().slice(first, second));
      case 1:
        return decoder.decode(new Uint8Array(reader.room(0)).subarray(first, second));
      case 2:
        return encoder.encodeInto(first, output().subarray(second)).written;
    }
  }

  function output() {
    return new Uint8Array(writer.output());
  }
}
