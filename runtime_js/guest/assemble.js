/**
 * Puts the rooms of the guest runtime together inside a fresh realm.
 *
 * This and every function it is given arrive as text (see `bootstrap.js`): none of them may refer
 * to anything outside itself but its parameters and the language.
 */

/** @typedef {typeof import("./parts.js").PARTS} Parts */
/** @typedef {ReturnType<typeof assemble>} Guest */

/**
 * @param {Parts} parts
 * @param {string[]} languageGlobals
 * @param {import("./host_link.js").HostFunction} host
 */
export function assemble(parts, languageGlobals, host) {
  const primordials = parts.capturePrimordials();
  const traces = parts.makeTraces(primordials);
  parts.lockDown(primordials, languageGlobals, traces.formatStack);
  const temporalText = parts.deferTemporal(primordials);

  const link = parts.connectHost(primordials, host);
  const writer = parts.makeWriter(primordials, link);
  const reader = parts.makeReader(primordials, link);
  const ledger = parts.makeLedger(primordials, link);

  const walks = parts.makeWalks(primordials);
  const values = parts.makeValues(primordials, walks);
  const labels = parts.makeLabels(primordials, values, traces);
  const readable = parts.makeReadable(primordials, values, labels, temporalText);
  const json = parts.makeJson(primordials, walks, values, readable.inspect);
  const encoder = parts.makeEncoder(primordials, walks, values, writer);

  const errors = parts.makeErrors(primordials, traces, readable.inspect);
  const store = parts.makeStore(primordials, { walks, writer, ledger, json });
  const calls = parts.makeCalls(primordials, { walks, writer, reader, encoder, ledger, traces });
  const ending = parts.makeEnding(primordials, { writer, encoder, ledger, errors, store, calls });
  const images = parts.makeImage(primordials);
  const output = parts.makeOutput(primordials, { writer, ledger, ending, json, images });
  const tools = parts.makeTools(primordials, { values, calls });

  const format = parts.makeFormat(primordials, readable, output.render);
  const table = parts.makeTable(primordials, values, readable);
  const consoleApi = parts.makeConsole(primordials, { format, readable, table, traces }, output);
  const models = parts.makeModels(primordials, calls);

  const api = parts.makeApi(primordials, values);
  const advice = parts.makeAdvice(primordials, parts.makeNearest(primordials), {
    foreign: parts.foreignNames,
    globals: api.names,
    members: /** @type {any} */ ({
      __proto__: null,
      console: primordials.keys(consoleApi),
      models: primordials.keys(models),
    }),
  });
  const rooms = {
    advice,
    calls,
    encoder,
    ending,
    errors,
    ledger,
    output,
    reader,
    store,
    tools,
    writer,
  };
  const run = parts.makeRun(primordials, rooms, api.install);
  // Everything but the catalogue is put in place before a program is known, while nobody waits.
  api.install({
    searchTools: tools.searchTools,
    describeTool: tools.describeTool,
    describeNamespace: tools.describeNamespace,
    text: output.text,
    image: output.image,
    console: consoleApi,
    exit: run.exit,
    store: store.store,
    load: store.load,
    models,
  });

  return {
    __proto__: null,
    input: reader.room,
    output: writer.output,
    open: run.open,
    codeStart: run.codeStart,
    codeEnd: run.codeEnd,
    note: run.note,
    begin: run.begin,
    refuse: run.refuse,
    settle: run.settle,
    turn: run.turn,
    noteUnhandled: ending.noteUnhandled,
    noteHandled: ending.noteHandled,
  };
}
