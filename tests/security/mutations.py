"""The measures that keep programs in, each with the text whose loss its attacks must notice.

`mutants.py` carries the table out; `test_mutations.py` keeps it from going stale. What no program
can miss is not here: the checks of the host behind those of the worker. Only forged frames get that
far, and those are in `tests/wire` and `tests/worker`.
"""

from __future__ import annotations

from typing import Final

from mutation import Edit, Mutation

# What more than one row takes away.
WITH_ALL_FRAMES: Final = Edit(
    "runtime_js/guest/traces.js", "if (site.getFileName() !== PROGRAM) continue;", ""
)
WITHOUT_RESERVE: Final = Edit(
    "runtime_js/guest/host_link.js", "apply(nothing, undefined, slots);", ""
)
WITH_EXECUTOR: Final = Edit(
    "runtime_js/guest/primordials.js",
    "(bind.call(withResolvers, Promise)),",
    """(() => {
        const made = {};
        made.promise = new Promise((resolve, reject) => {
          made.resolve = resolve;
          made.reject = reject;
        });
        return made;
      }),""",
)

MUTATIONS: Final = (
    Mutation(
        "the binding of Error is a constant",
        ("STK-002",),
        (
            Edit(
                "runtime_js/guest/lockdown.js",
                'defineProperty(globalThis, "Error", { ...constant, value: Error });',
                "",
            ),
        ),
    ),
    Mutation(
        "Error.prepareStackTrace is a constant",
        ("MUT-001",),
        (
            Edit(
                "runtime_js/guest/lockdown.js",
                'defineProperty(Error, "prepareStackTrace", { ...constant, value: formatStack });',
                "Error.prepareStackTrace = formatStack;",
            ),
        ),
    ),
    Mutation(
        "stacks show frames of the program only",
        ("MUT-002",),
        (WITH_ALL_FRAMES,),
    ),
    Mutation(
        "globals outside the allow-list are removed",
        ("AMB-017", "AMB-016"),
        (
            Edit(
                "runtime_js/guest/lockdown.js",
                "if (!setHas(kept, names[i]) && !deleteProperty(globalThis, names[i])) {",
                "if (false) {",
            ),
        ),
    ),
    Mutation(
        "nothing the outer realm throws gets in",
        ("RLM-007", "MUT-009"),
        (
            Edit(
                "runtime_js/guest/host_link.js",
                """    try {
      return host(operation, first, second);
    } catch {
      throw new RangeError("Maximum call stack size exceeded");
    }""",
                "    return host(operation, first, second);",
            ),
            WITHOUT_RESERVE,
        ),
    ),
    Mutation(
        "the function of the outer realm is handed to nobody",
        ("RLM-003",),
        (
            Edit(
                "runtime_js/guest/assemble.js",
                "    load: store.load,\n    models,\n",
                "    load: store.load,\n    models,\n    host,\n",
            ),
        ),
    ),
    Mutation(
        "no code from text",
        ("RLM-024",),
        (
            Edit(
                "runtime_js/realm.js",
                "codeGeneration: { strings: false, wasm: false },",
                "codeGeneration: { strings: true, wasm: false },",
            ),
        ),
    ),
    Mutation(
        "a source is one function body",
        ("SYN-001", "SYN-003"),
        (
            Edit(
                "runtime_js/compile.js",
                "return isOnePiece(form.body(source)) ? { script }",
                "return true ? { script }",
            ),
        ),
    ),
    Mutation(
        "every run has a realm of its own",
        ("LEK-001",),
        (
            Edit(
                "runtime_js/main.js",
                "  realm = prepareRealm(channel.send);\n  isRunning = false;",
                "  isRunning = false;",
            ),
        ),
    ),
    Mutation(
        "JSON.stringify is captured",
        ("MUT-003",),
        (
            Edit(
                "runtime_js/guest/primordials.js",
                "jsonStringify: JSON.stringify,",
                "jsonStringify: (value) => JSON.stringify(value),",
            ),
        ),
    ),
    Mutation(
        "Map.prototype.get is captured",
        ("OVR-008",),
        (
            Edit(
                "runtime_js/guest/primordials.js",
                "mapGet: uncurryThis(Map.prototype.get),",
                "mapGet: (map, key) => map.get(key),",
            ),
        ),
    ),
    Mutation(
        "Promise.prototype.then is captured",
        ("MUT-004",),
        (
            Edit(
                "runtime_js/guest/primordials.js",
                "promiseThen: uncurryThis(Promise.prototype.then),",
                "promiseThen: (p, ...then) => p.then(...then),",
            ),
        ),
    ),
    Mutation(
        "promises are made without an executor",
        ("MUT-010",),
        (WITH_EXECUTOR,),
    ),
    Mutation(
        "an API function asks for stack before it begins",
        ("MUT-011",),
        (WITHOUT_RESERVE, WITH_EXECUTOR),
    ),
    Mutation(
        "a program starts on an empty stack",
        ("MUT-013",),
        (
            Edit(
                "runtime_js/guest/run.js",
                "    promiseThen(promise, () => launch(program));\n    resolve(undefined);",
                "    launch(program);",
            ),
            WITH_ALL_FRAMES,
        ),
    ),
    Mutation(
        "a question inherits nothing",
        ("MUT-014",),
        (
            Edit(
                "runtime_js/guest/tools.js",
                "const question = { __proto__: null, query, limit: DEFAULT_LIMIT };",
                "const question = { query, limit: DEFAULT_LIMIT };",
            ),
        ),
    ),
    Mutation(
        "the data of a Map inherit nothing",
        ("MUT-014",),
        (
            Edit(
                "runtime_js/guest/values.js",
                "const data = { __proto__: null };",
                "const data = {};",
            ),
        ),
    ),
    Mutation(
        "the data of an error inherit nothing",
        ("MUT-014",),
        (
            Edit(
                "runtime_js/guest/values.js",
                "const data = { __proto__: null, name:",
                "const data = { name:",
            ),
        ),
    ),
    Mutation(
        "descriptors inherit nothing",
        ("PRP-005",),
        (
            Edit(
                "runtime_js/guest/calls.js",
                "      __proto__: null,\n      value,\n      writable: true,",
                "      value,\n      writable: true,",
            ),
        ),
    ),
    Mutation(
        "a toJSON on a prototype of the language counts for nothing",
        ("MUT-005",),
        (
            Edit(
                "runtime_js/guest/values.js",
                "if (setHas(builtInPrototypes, holder)) return undefined;",
                "",
            ),
        ),
    ),
    Mutation(
        "keys of the host are data, `__proto__` too",
        ("PRP-002",),
        (
            Edit(
                "runtime_js/guest/reader.js",
                "if (key in objectPrototype) define(object, key, item);",
                "if (false) define(object, key, item);",
            ),
        ),
    ),
    Mutation(
        "values nest at most 200 levels",
        ("DEP-002", "DEP-003", "DEP-015"),
        (Edit("runtime_js/guest/walk.js", "if (walk.depth === MAX_DEPTH) {", "if (false) {"),),
    ),
    Mutation(
        "after its end nothing a program does counts",
        ("MUT-006",),
        (Edit("runtime_js/guest/ledger.js", "if (ledger.phase !== RUNNING) {", "if (false) {"),),
    ),
    Mutation(
        "the first end wins",
        ("MUT-012",),
        (
            Edit(
                "runtime_js/guest/ending.js",
                "    if (!ledger.isRunning()) return;\n    conclusion = first;",
                "    conclusion = first;",
            ),
        ),
    ),
    Mutation(
        "exit() is told at once",
        ("LIF-007",),
        (
            Edit(
                "runtime_js/guest/run.js",
                "    ending.sendNow();\n    throw new Error(",
                "    throw new Error(",
            ),
        ),
    ),
    Mutation(
        "a rejection nobody handles is a note",
        ("LIF-002",),
        (Edit("runtime_js/main.js", "watchRejections();\nchecker();", "checker();"),),
    ),
    Mutation(
        "only a program that succeeds commits",
        ("LIF-014", "LEK-005"),
        (
            Edit(
                "runtime_js/guest/ending.js",
                "if (describe === null) store.commit();",
                "store.commit();",
            ),
        ),
    ),
    Mutation(
        "the store of a branch has a size",
        ("STO-002",),
        (Edit("runtime_js/guest/store.js", "if (totalChars > TOTAL_CHARS) {", "if (false) {"),),
    ),
    Mutation(
        "output has a size",
        ("OUT-003",),
        (
            Edit(
                "runtime_js/guest/output.js",
                "if (ledger.chars + chars > ledger.limits.output_chars) refuseChars();",
                "",
            ),
        ),
    ),
    Mutation(
        "tools cannot be added to",
        ("MUT-008",),
        (
            Edit(
                "runtime_js/guest/tools.js",
                "return { tools: freeze(tools), ALL_TOOLS: listed };",
                "return { tools, ALL_TOOLS: listed };",
            ),
        ),
    ),
    Mutation(
        "a run has an end in time",
        ("CPU-001",),
        (
            Edit(
                "pool/worker/session.py",
                "self._scope = anyio.CancelScope(deadline=deadline)",
                "self._scope = anyio.CancelScope()",
            ),
        ),
    ),
)
