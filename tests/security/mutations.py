"""The measures that keep programs in, each with the text whose loss some attack must notice.

`mutants.py` runs the table; `test_mutations.py` keeps it from going stale.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Mutation:
    """One measure, and how to lose it.

    Attributes:
        file: Relative to the repository.
        before: Text that occurs once in the file.
        after: What stands there when the measure is gone.
        attacks: Programs of which at least one must notice.
    """

    measure: str
    file: str
    before: str
    after: str
    attacks: tuple[str, ...]


def mutated_copy(mutation: Mutation, directory: Path) -> Path:
    """A copy of the product in `directory`, without that measure."""
    for name in ("pool", "runtime_js"):
        shutil.copytree(ROOT / name, directory / name)
    target = directory / mutation.file
    text = target.read_text(encoding="utf-8")
    target.write_text(text.replace(mutation.before, mutation.after), encoding="utf-8")
    return directory


MUTATIONS: Final = (
    Mutation(
        "the binding of Error is a constant",
        "runtime_js/guest/lockdown.js",
        'defineProperty(globalThis, "Error", { ...constant, value: Error });',
        "",
        ("STK-002",),
    ),
    Mutation(
        "Error.prepareStackTrace is a constant",
        "runtime_js/guest/lockdown.js",
        'defineProperty(Error, "prepareStackTrace", { ...constant, value: formatStack });',
        "/** @type {any} */ (Error).prepareStackTrace = formatStack;",
        ("STK-003",),
    ),
    Mutation(
        "stacks show frames of the program only",
        "runtime_js/guest/traces.js",
        "if (site.getFileName() !== PROGRAM) continue;",
        "",
        ("STK-005", "INF-006", "RLM-022"),
    ),
    Mutation(
        "globals outside the allow-list are removed",
        "runtime_js/guest/lockdown.js",
        "if (!setHas(kept, names[i]) && !deleteProperty(globalThis, names[i])) {",
        "if (false) {",
        ("AMB-017", "AMB-016"),
    ),
    Mutation(
        "nothing the outer realm throws gets in",
        "runtime_js/guest/host_link.js",
        """    try {
      return host(operation, first, second);
    } catch {
      throw new RangeError("Maximum call stack size exceeded");
    }""",
        "    return host(operation, first, second);",
        ("RLM-007",),
    ),
    Mutation(
        "the function of the outer realm is handed to nobody",
        "runtime_js/guest/assemble.js",
        "    load: store.load,\n    models,\n",
        "    load: store.load,\n    models,\n    host,\n",
        ("RLM-003",),
    ),
    Mutation(
        "no code from text",
        "runtime_js/realm.js",
        "codeGeneration: { strings: false, wasm: false },",
        "codeGeneration: { strings: true, wasm: false },",
        ("IMP-009", "RLM-009", "RLM-024"),
    ),
    Mutation(
        "a source is one function body",
        "runtime_js/compile.js",
        "return isOneBody(source) ? { script } : { refusal: unplaced(BREAKOUT) };",
        "return { script };",
        ("SYN-001", "SYN-003"),
    ),
    Mutation(
        "a program starts on an empty stack",
        "runtime_js/guest/run.js",
        "promiseThen(promise, () => launch(program));",
        "launch(program);",
        ("RLM-010",),
    ),
    Mutation(
        "every run has a realm of its own",
        "runtime_js/main.js",
        "  realm = prepareRealm(channel.send);\n  isRunning = false;",
        "  isRunning = false;",
        ("LEK-001",),
    ),
    Mutation(
        "JSON.stringify is captured",
        "runtime_js/guest/primordials.js",
        "jsonStringify: JSON.stringify,",
        "jsonStringify: (/** @type {any} */ value) => JSON.stringify(value),",
        ("OVR-002",),
    ),
    Mutation(
        "Map.prototype.get is captured",
        "runtime_js/guest/primordials.js",
        "mapGet: uncurryThis(Map.prototype.get),",
        "mapGet: (/** @type {any} */ map, /** @type {any} */ key) => map.get(key),",
        ("OVR-008",),
    ),
    Mutation(
        "Promise.prototype.then is captured",
        "runtime_js/guest/primordials.js",
        "promiseThen: uncurryThis(Promise.prototype.then),",
        "promiseThen: (/** @type {any} */ p, /** @type {any[]} */ ...then) => p.then(...then),",
        ("RLM-012", "PRP-007"),
    ),
    Mutation(
        "promises are made without an executor",
        "runtime_js/guest/primordials.js",
        "(bind.call(withResolvers, Promise)),",
        """(() => {
        /** @type {any} */
        const made = {};
        made.promise = new Promise((...both) => [made.resolve, made.reject] = both);
        return made;
      }),""",
        ("PRT-014",),
    ),
    Mutation(
        "descriptors inherit nothing",
        "runtime_js/guest/calls.js",
        "      __proto__: null,\n      value,\n      writable: true,",
        "      value,\n      writable: true,",
        ("PRP-005",),
    ),
    Mutation(
        "a toJSON on a prototype of the language counts for nothing",
        "runtime_js/guest/values.js",
        "if (setHas(builtInPrototypes, holder)) return undefined;",
        "",
        ("OVR-004", "OVR-005"),
    ),
    Mutation(
        "keys of the host are data, `__proto__` too",
        "runtime_js/guest/reader.js",
        "if (key in objectPrototype) define(object, key, item);",
        "if (false) define(object, key, item);",
        ("PRP-002",),
    ),
    Mutation(
        "values nest at most 200 levels",
        "runtime_js/guest/walk.js",
        "if (walk.depth === MAX_DEPTH) {",
        "if (false) {",
        ("DEP-002", "DEP-003", "DEP-015"),
    ),
    Mutation(
        "an API function asks for stack before it changes anything",
        "runtime_js/guest/host_link.js",
        "apply(nothing, undefined, slots);",
        "",
        ("PRT-014",),
    ),
    Mutation(
        "after its end nothing a program does counts",
        "runtime_js/guest/ledger.js",
        "if (ledger.phase !== RUNNING) {",
        "if (false) {",
        ("PRT-011", "LIF-004", "LIF-005"),
    ),
    Mutation(
        "the first end wins",
        "runtime_js/guest/ending.js",
        "if (!ledger.isRunning()) return;",
        "",
        ("PRT-011", "LIF-004", "LIF-005"),
    ),
    Mutation(
        "exit() is told at once",
        "runtime_js/guest/run.js",
        "    ending.sendNow();\n    throw new Error(",
        "    throw new Error(",
        ("LIF-007",),
    ),
    Mutation(
        "a rejection nobody handles is a note",
        "runtime_js/main.js",
        "watchRejections();\nchecker();",
        "checker();",
        ("LIF-002",),
    ),
    Mutation(
        "only a program that succeeds commits",
        "runtime_js/guest/ending.js",
        "if (describe === null) store.commit();",
        "store.commit();",
        ("LIF-014", "LEK-005"),
    ),
    Mutation(
        "the store of a branch has a size",
        "runtime_js/guest/store.js",
        "if (totalChars > TOTAL_CHARS) {",
        "if (false) {",
        ("STO-002",),
    ),
    Mutation(
        "output has a size",
        "runtime_js/guest/output.js",
        "if (ledger.chars + chars > ledger.limits.output_chars) refuseChars();",
        "",
        ("OUT-003",),
    ),
    Mutation(
        "tools cannot be added to",
        "runtime_js/guest/tools.js",
        "return { tools: freeze(tools), ALL_TOOLS: listed };",
        "return { tools, ALL_TOOLS: listed };",
        ("RLM-019",),
    ),
    Mutation(
        "a run has an end in time",
        "pool/worker/session.py",
        "self._scope = anyio.CancelScope(deadline=deadline)",
        "self._scope = anyio.CancelScope()",
        ("CPU-001",),
    ),
)
