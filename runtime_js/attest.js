/**
 * Tries what Deno itself must refuse, before anything of a host or a program is read.
 *
 * What the operating system must refuse is tried before Deno starts (`pool/worker/attest.py`).
 * Programs run in a realm without `Deno`; this is for the day they get out of it.
 */

/** @type {Record<string, () => unknown>} What would work, by what it needs. */
const ATTEMPTS = {
  "read a file": () => Deno.readTextFileSync("/etc/passwd"),
  "open a file for writing": () => Deno.openSync("/dev/null", { write: true }),
  "read the environment": () => Deno.env.get("HOME"),
  "open a port": () => Deno.listen({ port: 0 }),
  "read the name of the host": () => Deno.hostname(),
  "load a library": () => Deno.dlopen("/dev/null", {}),
};

/** @returns {string | undefined} What this process can do and must not; undefined if nothing. */
export function findBreach() {
  for (const [what, attempt] of Object.entries(ATTEMPTS)) {
    if (!isRefused(attempt)) return what;
  }
  // Asked instead of tried: the first process costs 10 ms of start-up, even a refused one.
  const { state } = Deno.permissions.querySync({ name: "run" });
  return state === "granted" ? "start a process" : undefined;
}

/** @param {() => unknown} attempt */
function isRefused(attempt) {
  try {
    attempt();
    return false;
  } catch (error) {
    return error instanceof Deno.errors.NotCapable;
  }
}
