// @options: {"max_output_tokens": 2000, "timeout_ms": 60000}
//
// What happened in a service log: when it went wrong, what came first, which routes suffered.
// Reads the log page by page, in parallel; only the findings leave the program.
//
//   codepool run examples/log_analysis.js --workspace .

const LOG = "examples/data/orders.log";
const PAGE_LINES = 150;
const LINE = /^(\S+) (DEBUG|INFO|WARN|ERROR) +\[(\w+)\] (.*)$/;
const REQUEST = /^(GET|POST|PUT|DELETE) (\S+) (\d{3}) (\d+)ms$/;

/** Every line of a file. The last line of a page says how many there are. */
async function readLines(path) {
  const head = await tools.read({ path, limit: 1 });
  const total = Number(/^\[lines 1-1 of (\d+);/m.exec(head)?.[1] ?? 1);
  const pages = Array.from(
    { length: Math.ceil(total / PAGE_LINES) },
    (_, n) => tools.read({ path, offset: n * PAGE_LINES + 1, limit: PAGE_LINES }),
  );
  return (await Promise.all(pages)).flatMap((page) => page.split("\n"));
}

function parse(line) {
  const found = LINE.exec(line);
  if (!found) return [];
  const [, time, level, component, message] = found;
  const request = REQUEST.exec(message);
  return [{
    time,
    minute: time.slice(0, 16),
    level,
    component,
    message,
    request: request && {
      route: `${request[1]} ${request[2].replace(/\/\d+/g, "/:id")}`,
      status: Number(request[3]),
      ms: Number(request[4]),
    },
  }];
}

const percentile = (sorted, share) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
const percent = (part, whole) => `${((100 * part) / whole).toFixed(1)}%`;

function routes(entries) {
  const groups = Object.groupBy(entries.filter((e) => e.request), (e) => e.request.route);
  return Object.entries(groups).map(([route, requests]) => {
    const times = requests.map((e) => e.request.ms).sort((a, b) => a - b);
    const failed = requests.filter((e) => e.request.status >= 500).length;
    return {
      route,
      requests: requests.length,
      failed,
      p50: percentile(times, 0.5),
      p99: percentile(times, 0.99),
    };
  }).sort((a, b) => b.failed - a.failed || b.requests - a.requests);
}

/** The longest row of minutes in which more than a tenth of the requests failed. */
function incident(entries) {
  const minutes = Object.entries(Object.groupBy(entries.filter((e) => e.request), (e) => e.minute));
  let best = [], current = [];
  for (const [minute, requests] of minutes) {
    const failed = requests.filter((e) => e.request.status >= 500).length;
    current = failed > requests.length / 10
      ? [...current, { minute, failed, of: requests.length }]
      : [];
    if (current.length > best.length) best = current;
  }
  return best;
}

/** Messages that differ only in their numbers are one kind. */
function kinds(entries) {
  const counts = new Map();
  for (const { level, component, message } of entries) {
    const kind = `${level} [${component}] ${message.replace(/\d+/g, "N")}`;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1]);
}

const entries = (await readLines(LOG)).flatMap(parse);
console.log(`${entries.length} entries understood`);

const requests = entries.filter((entry) => entry.request);
const failed = requests.filter((entry) => entry.request.status >= 500);
text(
  `${LOG}: ${requests.length} requests from ${entries[0].time} to ${entries.at(-1).time}, ` +
    `${failed.length} failed (${percent(failed.length, requests.length)})`,
);

const bad = incident(entries);
if (bad.length) {
  const [first, last] = [bad[0].minute, bad.at(-1).minute];
  const during = requests.filter(({ minute }) => minute >= first && minute <= last);
  const share = percent(bad.reduce((n, { failed }) => n + failed, 0), during.length);
  text(`Incident from ${first} to ${last}: ${share} of ${during.length} requests failed`);
  const before = entries.filter((e) => !e.request && e.level !== "DEBUG" && e.minute < first);
  text(
    [
      "Before it:",
      ...before.slice(-6).map((e) => `${e.time} ${e.level} [${e.component}] ${e.message}`),
    ].join("\n"),
  );
}

text(
  [
    "Routes:",
    ...routes(entries).map((r) =>
      `${r.route}: ${r.requests} requests, ${r.failed} failed, p50 ${r.p50} ms, p99 ${r.p99} ms`
    ),
  ].join("\n"),
);

const troubles = kinds(entries.filter((e) => !e.request && ["WARN", "ERROR"].includes(e.level)));
text(
  ["Warnings and errors:", ...troubles.slice(0, 8).map(([kind, n]) => `${n} times ${kind}`)].join(
    "\n",
  ),
);
