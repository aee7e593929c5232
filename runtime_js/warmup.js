/**
 * Makes the first program of a fresh worker faster: runs one of our own in a throw-away realm.
 *
 * It goes the way of a real program, with a tool that answers at once, so that the engine has
 * compiled what programs use. Its frames are thrown away.
 */

import { BODY, compile } from "./compile.js";
import { pack } from "./pack.js";
import { prepareRealm } from "./realm.js";

const SETTLE = 17;
const PLENTY = 1000000;

/**
 * The program. It only ever runs as text, in a realm of its own.
 *
 * @param {any} api
 */
async function program({ tools, text, console, store, load }) {
  store("key", { list: [1, 2.5, "text", null, true] });
  const result = await tools.echo({ words: ["some", "words"], nested: { deep: [load("key")] } });
  text(result);
  text(`${result.words.length} words`);
  console.log("%s and %d", "formatted", 1, { an: ["object"] }, new Map([["key", 1]]));
  return { result, at: new Date(0) };
}

/**
 * @param {(next: () => void) => void} nextTurn Runs what it is given once all microtasks have run.
 * @param {() => void} done
 */
export function warmUp(nextTurn, done) {
  const realm = prepareRealm(() => {});
  const limits = {
    calls: PLENTY,
    argument_bytes: PLENTY,
    output_chars: PLENTY,
    output_items: PLENTY,
  };
  const source = `return (${program})(globalThis)`;
  const catalog = JSON.stringify([[{ name: "echo", description: "" }], []]);
  const start = [source, catalog, {}, limits, [0, source.length]];
  const compiled = compile(realm.guest.open(put(start)), BODY);
  if ("refusal" in compiled) throw new Error(compiled.refusal.message);
  realm.run(compiled.script, "");
  nextTurn(() => {
    realm.guest.settle(SETTLE, put([0, true, { words: ["some", "words"], numbers: [1, 2] }]));
    nextTurn(() => {
      realm.guest.turn();
      done();
    });
  });

  /** @param {import("./pack.js").Packable[]} fields */
  function put(fields) {
    const bytes = fields.flatMap(pack);
    realm.room(bytes.length).set(bytes);
    return bytes.length;
  }
}
