/**
 * `store` and `load`: the branch's values as this run sees them.
 *
 * Values are kept as compact JSON text and parsed when they are loaded, so that every load is a
 * copy and a value nobody loads costs nothing. Writes leave the worker only with a successful end.
 */

/** @typedef {import("./primordials.js").Primordials} Primordials */
/** @typedef {import("./walk.js").Walks} Walks */
/** @typedef {import("./writer.js").Writer} Writer */
/** @typedef {import("./ledger.js").Ledger} Ledger */
/** @typedef {import("./json.js").Json} Json */

/**
 * @param {Primordials} primordials
 * @param {{walks: Walks, writer: Writer, ledger: Ledger, json: Json}} rooms
 */
export function makeStore(primordials, { walks, writer, ledger, json }) {
  const { Map, RangeError, Set, TypeError, jsonParse, keys, mapDelete, mapGet } = primordials;
  const { mapHas, mapSet, setAdd, setForEach, setHas, stringToWellFormed } = primordials;

  const STORE = 9;
  const VALUE_CHARS = 262144;
  const TOTAL_CHARS = 1048576;

  /** @type {import("./json.js").Bound} */
  const BOUND = {
    limit: VALUE_CHARS,
    exceed: (walk) =>
      walks.stop(walk, `store(): the value has more than ${VALUE_CHARS} characters of JSON`),
  };

  /** @type {Map<string, string>} key to JSON text, own writes included */
  const entries = new Map();
  /** @type {Set<string>} Keys this run wrote or deleted. */
  const changed = new Set();
  /** @type {Set<string>} Keys that were there at the start. */
  const committed = new Set();
  let total = 0;
  let isCommitted = false;

  return { open, store, load, commit };

  /** @param {any} initial Values by key; an object made by the reader. */
  function open(initial) {
    const names = keys(initial);
    for (let i = 0; i < names.length; i++) {
      const key = names[i];
      mapSet(entries, key, initial[key]);
      setAdd(committed, key);
      total += key.length + initial[key].length;
    }
  }

  /**
   * Throws a TypeError for what cannot be stored and a RangeError for a limit; the old value stays.
   *
   * @param {unknown} key
   * @param {unknown} value `undefined` deletes.
   */
  function store(key, value) {
    const name = checkedKey(key, "store");
    const text = value === undefined ? undefined : json.storeText(value, BOUND);
    ledger.ready();
    const former = mapGet(entries, name);
    const formerChars = former === undefined ? 0 : name.length + former.length;
    if (text === undefined) {
      if (former === undefined) return;
      mapDelete(entries, name);
      total -= formerChars;
    } else {
      const chars = name.length + text.length;
      checkSize(text.length, total - formerChars + chars);
      mapSet(entries, name, text);
      total += chars - formerChars;
    }
    setAdd(changed, name);
  }

  /**
   * @param {unknown} key
   * @returns {any} A fresh copy; undefined when there is no such key.
   */
  function load(key) {
    const name = checkedKey(key, "load");
    ledger.ready();
    const text = mapGet(entries, name);
    return text === undefined ? undefined : jsonParse(text);
  }

  /**
   * @param {unknown} key
   * @param {string} method
   */
  function checkedKey(key, method) {
    if (typeof key !== "string") throw new TypeError(`${method}(): the key is not a string`);
    return stringToWellFormed(key);
  }

  /**
   * @param {number} valueChars
   * @param {number} totalChars
   */
  function checkSize(valueChars, totalChars) {
    if (valueChars > VALUE_CHARS) {
      throw new RangeError(
        `store(): the value has ${valueChars} characters of JSON, the limit is ${VALUE_CHARS}`,
      );
    }
    if (totalChars > TOTAL_CHARS) {
      throw new RangeError(
        `store(): all keys and values would have ${totalChars} characters, the limit is ${TOTAL_CHARS}`,
      );
    }
  }

  /** Sends the changes once, if there are any. */
  function commit() {
    if (isCommitted) return;
    let sets = 0;
    let deletes = 0;
    setForEach(changed, (/** @type {string} */ key) => {
      if (mapHas(entries, key)) sets++;
      else if (setHas(committed, key)) deletes++;
    });
    if (sets + deletes === 0) return;
    writer.send(STORE, 2, () => {
      writer.mapHeader(sets);
      eachChange((key, text) => {
        if (text === undefined) return;
        writer.text(key);
        writer.text(text);
      });
      writer.arrayHeader(deletes);
      eachChange((key, text) => {
        if (text === undefined && setHas(committed, key)) writer.text(key);
      });
    });
    isCommitted = true;
  }

  /** @param {(key: string, text: string | undefined) => void} visit */
  function eachChange(visit) {
    setForEach(changed, (/** @type {string} */ key) => visit(key, mapGet(entries, key)));
  }
}
