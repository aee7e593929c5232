/**
 * A fresh realm with the guest runtime in it, ready for one program.
 *
 * A `vm` context gives fresh globals and, with code generation off, no `eval`; it is not the
 * security boundary, the confined process is. No object of this realm goes into it: one function
 * over primitives (`host`), and buffers that belong to the guest and are only viewed from here.
 */

import vm from "node:vm";

import { assemble } from "./guest/assemble.js";
import { LANGUAGE_GLOBALS } from "./guest/globals.js";
import { PARTS } from "./guest/parts.js";

/** @typedef {ReturnType<typeof prepareRealm>} Realm */

/** Codes of what the guest asks of the outer realm; `guest/host_link.js` has the other side. */
const WRITE = 0;
const DECODE_TEXT = 1;
const ENCODE_TEXT = 2;
const OUTPUT_MOVED = 3;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();

// Compiled once; every realm runs the same code.
const bootstrap = new vm.Script(bootstrapText(), { filename: "codepool:guest" });

/**
 * The guest runtime as one expression: the functions of `guest/` arrive by their own text.
 *
 * Boot time counts here: parentheses around a function have it compiled at once instead of being
 * looked over first and compiled later, and text in ASCII takes half the memory (a test checks).
 */
function bootstrapText() {
  const parts = Object.entries(PARTS).map(([name, part]) => `${name}: ${part}`);
  const globals = JSON.stringify(LANGUAGE_GLOBALS);
  return `"use strict";
((host) => (${assemble})({ ${parts.join(",\n")} }, ${globals}, host))`;
}

/**
 * @param {(bytes: Uint8Array, start: number, end: number) => void} send Takes frames; it sees
 *   the guest's own buffer.
 */
export function prepareRealm(send) {
  const context = vm.createContext(vm.constants.DONT_CONTEXTIFY, {
    codeGeneration: { strings: false, wasm: false },
  });
  let input = new Uint8Array(0);
  let output = new Uint8Array(0);

  /** @type {import("./guest/assemble.js").Guest} */
  const guest = bootstrap.runInContext(context)(host);
  look();

  return { guest, room, run };

  /**
   * @param {number} operation
   * @param {any} first
   * @param {any} second
   */
  function host(operation, first, second) {
    switch (operation) {
      case WRITE:
        return send(output, first, second);
      case DECODE_TEXT:
        return decoder.decode(input.subarray(first, second));
      case ENCODE_TEXT:
        return encoder.encodeInto(first, output.subarray(second)).written;
      case OUTPUT_MOVED:
        return look();
    }
  }

  function look() {
    output = new Uint8Array(guest.output());
  }

  /**
   * Where fields of a size go before the guest is told of them.
   *
   * @param {number} size
   */
  function room(size) {
    const buffer = guest.input(size);
    if (input.buffer !== buffer) input = new Uint8Array(buffer);
    return input;
  }

  /**
   * @param {vm.Script} script
   * @param {string} valueNote What to say if the program gives a value; empty for nothing.
   */
  function run(script, valueNote) {
    guest.begin(script.runInContext(context), valueNote);
  }
}
