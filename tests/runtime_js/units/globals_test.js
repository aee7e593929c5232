/** The guest's source text, as the bootstrap relies on it. */

import { assemble } from "../../../runtime_js/guest/assemble.js";
import { LANGUAGE_GLOBALS } from "../../../runtime_js/guest/globals.js";
import { PARTS } from "../../../runtime_js/guest/parts.js";
import { equal } from "./assert.js";

const functions = { ...PARTS, assemble };

for (const [name, part] of Object.entries(functions)) {
  Deno.test(`${name} is ASCII, stands alone and iterates nothing`, () => {
    const text = String(part);
    equal([...text].filter((character) => character > "\x7f"), []);
    equal(text.startsWith("function "), true);
    equal(/\bimport\.meta\b|\bfor \(const \w+ of\b/.test(text), false);
  });
}

Deno.test("the allow-list is sorted and names nothing twice", () => {
  equal([...new Set(LANGUAGE_GLOBALS)].sort(), LANGUAGE_GLOBALS);
});
