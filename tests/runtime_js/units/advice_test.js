/** Advice for the errors that end a run. */

import { PARTS } from "../../../runtime_js/guest/parts.js";
import { equal } from "./assert.js";

const advice = PARTS.makeAdvice(PARTS.capturePrimordials());

/**
 * @param {string} name
 * @param {string} message
 * @param {string[]} identifiers
 */
function advised(name, message, identifiers) {
  const error = /** @type {any} */ ({ name, message });
  advice.add(error, identifiers);
  return error.message;
}

/** @type {[string, string[], string][]} */
const CALLS = [
  ["tools.Bash is not a function", ["bash", "read"], ". Did you mean tools.bash?"],
  ["tools.raed is not a function", ["bash", "read"], ". Did you mean tools.read?"],
  [
    "tools.file is not a function",
    ["read_file", "write_file", "bash"],
    ". Did you mean tools.read_file, tools.write_file?",
  ],
  ["tools.zzzzzz is not a function", ["bash"], ". ALL_TOOLS lists the tools of this run."],
  ["tools.bash is not a function", [], ". This run has no tools."],
  ["other.bash is not a function", ["bash"], ""],
];

for (const [message, identifiers, sentence] of CALLS) {
  Deno.test(`"${message}" with ${identifiers.join() || "no tools"}`, () => {
    equal(advised("TypeError", message, identifiers), message + sentence);
  });
}

Deno.test("a missing global of browsers gets a sentence, an unknown name none", () => {
  equal(
    advised("ReferenceError", "atob is not defined", []),
    "atob is not defined. Use Uint8Array.fromBase64(text).",
  );
  equal(advised("ReferenceError", "toString is not defined", []), "toString is not defined");
  equal(advised("Error", "atob is not defined", []), "atob is not defined");
});
