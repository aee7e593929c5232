"""Every name that a program finds, pinned for the Deno version of the lock file.

`guest_globals.txt` lists the own properties of `globalThis` and of the API's objects, and those of
the language's objects, prototypes included, one a line. What is not in it does not exist; a
change of this list is a change of what a program can reach.

When this test fails after an update of Deno, a name is new or gone. For each new one, ask:

1. Does it reach outside the realm: files, network, processes, environment, host objects? Does it
   compile code, or load modules?
2. Is it a clock finer than `Date`, a timer, shared memory, or a way to wait or to block?
3. Does it make garbage collection visible, or keep something alive after a run?
4. Does it call functions of the program where the guest runtime now calls a built-in?
   (`runtime_js/guest/primordials.js` says which built-ins are captured.)

New globals never appear by themselves, because `runtime_js/guest/globals.js` is an allow-list; new
methods of allowed objects do. If all answers are no, print the list anew and commit it together
with the update:

    python tests/security/test_guest_globals.py > tests/security/guest_globals.txt

Otherwise remove the name in `runtime_js/guest/lockdown.js` and add an attack that asks for it.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from attacking import Range

from pool import BlockingPool

LIST: Final = Path(__file__).with_name("guest_globals.txt")

# Names by path. A path is walked once: the first way to an object is its name.
WALK: Final = """
const seen = new Set();
const names = [];
const isObject = (value) => Object(value) === value;

const walk = (path, object) => {
  seen.add(object);
  const inner = [];
  for (const key of Reflect.ownKeys(object)) {
    const name = typeof key === "symbol" ? `[${key.description}]` : key;
    const place = path === "" ? name : `${path}.${name}`;
    names.push(place);
    const { value } = Reflect.getOwnPropertyDescriptor(object, key);
    if (isObject(value) && key !== "globalThis") inner.push([place, value]);
  }
  const parent = Reflect.getPrototypeOf(object);
  if (parent !== null) inner.push([`${path}.__proto__`, parent]);
  for (const [place, value] of inner) if (!seen.has(value)) walk(place, value);
};

void Temporal; // made when it is first asked for
walk("", globalThis);
return names.filter((name) => !/\\.(name|length|prototype|constructor)$/.test(name)).sort();
"""


def test_a_program_finds_exactly_these_names(reuse: Range):
    outcome = reuse.portal.call(reuse.pool.run, WALK)

    assert outcome.value == LIST.read_text(encoding="utf-8").splitlines()


if __name__ == "__main__":
    with BlockingPool(size=1, spares=0) as pool:
        sys.stdout.write("\n".join(pool.run(WALK).value) + "\n")
