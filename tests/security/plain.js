/**
 * The control: programs in a Deno that may do everything, with none of our layers around them.
 *
 * Takes a JSON array of sources on standard input, runs one after the other in its own realm, and
 * prints what each returned or threw. The API is the plainest that could work.
 */

const AsyncFunction = (async () => {}).constructor;
const print = console.log.bind(console);
const stored = new Map();

Object.assign(globalThis, {
  tools: {
    echo: async (argument) => argument,
    add: async ({ a, b }) => a + b,
    fail: async ({ message, name }) => {
      throw Object.assign(new Error(message), { name: name ?? "Error" });
    },
  },
  ALL_TOOLS: [],
  text: () => {},
  image: () => {},
  exit: () => {
    throw new Error("exit");
  },
  store: (key, value) => stored.set(key, value),
  load: (key) => stored.get(key),
  searchTools: async () => [],
});

const sources = JSON.parse(await new Response(Deno.stdin.readable).text());
for (const source of sources) {
  let result;
  try {
    result = await new AsyncFunction(source)();
  } catch (error) {
    result = `threw ${error}`;
  }
  print(JSON.stringify({ result }));
}
Deno.exit();
