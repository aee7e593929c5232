/**
 * Values of a program to msgpack, by the argument and return column of the value table.
 */

/** @typedef {import("./primordials.js").Primordials} Primordials */
/** @typedef {import("./walk.js").Walks} Walks */
/** @typedef {import("./walk.js").Walk} Walk */
/** @typedef {import("./values.js").Values} Values */
/** @typedef {import("./writer.js").Writer} Writer */
/** @typedef {ReturnType<typeof makeEncoder>} Encoder */

/**
 * @typedef {object} Rule How a value is encoded.
 * @property {string} root First step of paths in messages.
 * @property {boolean} isFinite Refuse NaN and infinities.
 * @property {number} limit Most bytes.
 * @property {(walk: Walk) => never} exceed Throws when the value has more.
 * @property {(walk: Walk, message: string) => never} [crowd] Throws when it has too many elements.
 */

/**
 * @param {Primordials} primordials
 * @param {Walks} walks
 * @param {Values} values
 * @param {Writer} writer
 */
export function makeEncoder(primordials, walks, values, writer) {
  const { arrayLength, floor, isArray, keys, toNumber } = primordials;
  const { typedArrayLength, typedArrayName } = primordials;

  const MAX_NODES = 1048576;
  // What a message has around its value; far less is used.
  const ENVELOPE_NODES = 64;
  const MAX_SAFE = 9007199254740991;
  // A number with a fraction mostly has about as many characters as binary digits allow.
  const FLOAT_CHARS = 18;
  const CYCLE = "the value contains itself";

  let isFiniteOnly = false;
  let nodes = 0;
  let chars = 0;
  /** @type {(walk: Walk, message: string) => never} */
  let exceedNodes = tooMany;

  return { encode };

  /**
   * Appends one value to the frame at hand. Throws a TypeError that names the path of what has no
   * counterpart, and a RangeError that names the limit of depth or elements.
   *
   * @param {unknown} value
   * @param {Rule} rule
   * @returns {number | undefined} UTF-16 units of the value as JSON text, escapes not counted;
   *   undefined when it stands for nothing, for which nil was written.
   */
  function encode(value, { root, isFinite, limit, exceed, crowd = tooMany }) {
    const walk = walks.begin(root);
    const former = { isFiniteOnly, nodes, chars, exceedNodes };
    const ceiling = writer.limit({ position: writer.at() + limit, exceed: () => exceed(walk) });
    isFiniteOnly = isFinite;
    exceedNodes = crowd;
    nodes = ENVELOPE_NODES;
    chars = 0;
    try {
      const isThere = walks.run(walk, () => {
        const written = write(walk, value, "");
        writer.check();
        return written;
      });
      return isThere ? chars : undefined;
    } finally {
      writer.limit(ceiling);
      ({ isFiniteOnly, nodes, chars, exceedNodes } = former);
    }
  }

  /**
   * @param {Walk} walk
   * @param {any} value
   * @param {string | number} key Where it was found; `toJSON` is told.
   * @returns {boolean} False when the value stands for nothing; nil was written for it.
   */
  function write(walk, value, key) {
    if (value === null || (typeof value !== "object" && typeof value !== "function")) {
      return primitive(walk, value);
    }
    if (walks.isInside(walk, value)) walks.refuse(walk, CYCLE);
    if (typeof value === "object" && values.isPlain(value)) return container(walk, value, value);
    const toJSON = values.toJSONOf(value);
    return converted(walk, toJSON === undefined ? value : toJSON(value, `${key}`), value);
  }

  /**
   * @param {Walk} walk
   * @param {any} value
   * @param {object} self The object of the program it stands for.
   */
  function converted(walk, value, self) {
    if (value === null || (typeof value !== "object" && typeof value !== "function")) {
      return primitive(walk, value);
    }
    if (value !== self && walks.isInside(walk, value)) walks.refuse(walk, CYCLE);
    const reduced = values.reduce(walk, value);
    if (typeof reduced !== "object" || reduced === null) return primitive(walk, reduced);
    if (reduced !== value && typedArrayName(reduced) !== undefined) {
      writer.binary(reduced);
      chars += floor((typedArrayLength(reduced) + 2) / 3) * 4;
      return true;
    }
    return container(walk, reduced, self);
  }

  /**
   * @param {Walk} walk
   * @param {any} value
   */
  function primitive(walk, value) {
    switch (typeof value) {
      case "string":
        writer.text(value);
        chars += value.length + 2;
        break;
      case "number":
        number(walk, value);
        break;
      case "boolean":
        writer.boolean(value);
        chars += value ? 4 : 5;
        break;
      case "bigint":
        bigint(value);
        break;
      case "symbol":
        walks.refuse(walk, "a symbol cannot leave the program");
        break;
      default:
        writer.nil();
        chars += 4;
        return value === null;
    }
    return true;
  }

  /**
   * @param {Walk} walk
   * @param {any} value
   * @param {object} self
   */
  function container(walk, value, self) {
    walks.enter(walk, self);
    if (isArray(value)) items(walk, value);
    else properties(walk, value);
    walks.leave(walk);
    return true;
  }

  /**
   * @param {Walk} walk
   * @param {any[]} value
   */
  function items(walk, value) {
    const length = arrayLength(value);
    const depth = walk.depth - 1;
    spend(walk, length);
    chars += length + 1;
    writer.arrayHeader(length);
    for (let i = 0; i < length; i++) {
      walk.steps[depth] = i;
      write(walk, value[i], i);
    }
  }

  /**
   * @param {Walk} walk
   * @param {any} value
   */
  function properties(walk, value) {
    const names = keys(value);
    const header = writer.at();
    const depth = walk.depth - 1;
    let written = 0;
    spend(walk, names.length);
    chars += 2;
    writer.mapHeader(names.length);
    for (let i = 0; i < names.length; i++) {
      const name = names[i];
      walk.steps[depth] = name;
      const item = value[name];
      if (item === undefined) continue;
      const before = writer.at();
      chars += name.length + 4;
      writer.text(name);
      if (write(walk, item, name)) written++;
      else writer.rewind(before);
    }
    if (written !== names.length) writer.patchMapHeader(header, written);
  }

  /**
   * @param {Walk} walk
   * @param {number} value
   */
  function number(walk, value) {
    if (floor(value) === value && value <= MAX_SAFE && value >= -MAX_SAFE) {
      chars += digits(value);
      return writer.integer(value);
    }
    if (isFiniteOnly && value - value !== 0) walks.refuse(walk, `${value} cannot be sent`);
    chars += FLOAT_CHARS;
    writer.float(value);
  }

  /**
   * Length of an integer's text; making the text would cost more than writing the number.
   *
   * @param {number} value
   */
  function digits(value) {
    let length = value < 0 ? 2 : 1;
    for (let rest = value < 0 ? -value : value; rest >= 10; rest = floor(rest / 10)) length++;
    return length;
  }

  /** @param {bigint} value */
  function bigint(value) {
    const text = `${value}`;
    chars += text.length;
    if (value <= MAX_SAFE && value >= -MAX_SAFE) writer.integer(toNumber(value));
    else writer.text(text);
  }

  /**
   * @param {Walk} walk
   * @param {number} elements
   */
  function spend(walk, elements) {
    nodes += elements + 1;
    if (nodes > MAX_NODES) exceedNodes(walk, `a message has at most ${MAX_NODES} elements`);
  }

  /**
   * @param {Walk} walk
   * @param {string} message
   * @returns {never}
   */
  function tooMany(walk, message) {
    return walks.stop(walk, message);
  }
}
