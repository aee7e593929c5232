/** Advice for the errors that end a run. */

import { PARTS } from "../../../runtime_js/guest/parts.js";
import { equal } from "./assert.js";

const primordials = PARTS.capturePrimordials();
const advice = PARTS.makeAdvice(primordials, PARTS.makeNearest(primordials), {
  foreign: PARTS.foreignNames,
  globals: ["text", "image", "store", "searchTools", "ALL_TOOLS", "console"],
  members: { console: ["log", "table"] },
});

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
  ["tools?.Bash is not a function", ["bash"], ". Did you mean tools.bash?"],
  ["tools.bash.run is not a function", ["bash"], ". Did you mean tools.bash?"],
  ["tools is not a function", ["bash"], ". Call a tool by its name: tools.name(input)."],
  ["Bash is not a function", ["bash"], ". Did you mean tools.bash?"],
  ["console.logg is not a function", ["bash"], ". Did you mean console.log?"],
  ["other.bash is not a function", ["bash"], ""],
  ["other.Bash is not a function", ["bash"], ". Did you mean tools.bash?"],
  ["other.bsah is not a function", ["bash"], ""],
  ["tools.bash(...).bash is not a function", ["bash"], ""],
  [
    "Cannot read properties of undefined (reading 'search')",
    ["search", "research", "github__search"],
    ". Did you mean tools.github__search?",
  ],
];

for (const [message, identifiers, sentence] of CALLS) {
  Deno.test(`"${message}" with ${identifiers.join() || "no tools"}`, () => {
    equal(advised("TypeError", message, identifiers), message + sentence);
  });
}

/** @type {[string, string[], string][]} */
const NAMES = [
  ["bash", ["bash"], ". Did you mean tools.bash?"],
  ["readFile", ["read_file", "write_file"], ". Did you mean tools.read_file?"],
  ["fetch", ["fetch"], ". Did you mean tools.fetch?"],
  ["fetch", ["fetch_all"], ". There is no network here; use a tool for requests."],
  ["Text", [], ". Did you mean text?"],
  ["search_tools", [], ". Did you mean searchTools, ALL_TOOLS?"],
  ["serachTools", ["search"], ". Did you mean searchTools?"],
  ["conosle", [], ". Did you mean console?"],
  ["None", [], ". Use null or undefined."],
  ["len", [], ". Use .length of texts and arrays, .size of a Map or Set."],
  ["x", ["y", "z"], ""],
  ["total", ["read"], ""],
];

for (const [name, identifiers, sentence] of NAMES) {
  Deno.test(`"${name} is not defined" with ${identifiers.join() || "no tools"}`, () => {
    const message = `${name} is not defined`;

    equal(advised("ReferenceError", message, identifiers), message + sentence);
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
