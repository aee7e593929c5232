/**
 * `Temporal` with a clock of whole milliseconds, made when a program first looks at it.
 *
 * The engine builds its own `Temporal` on first use too, at a third of the cost of a realm. To
 * keep that for programs that want it, the engine's namespace is dropped unseen and put together
 * again from its classes, which a `Date` leads to; only `Temporal.Now` is ours.
 */

/** @typedef {import("./primordials.js").Primordials} Primordials */

/** @param {Primordials} primordials */
export function deferTemporal(primordials) {
  const { dateNow, defineProperty, deleteProperty, getOwnPropertyDescriptor } = primordials;
  const { isPrototypeOf, keys, list, toStringTag, uncurryThis } = primordials;

  /** @type {{name: string, prototype: object, toText: (self: any) => string}[]} */
  const shown = list();

  // Defining over it would build it; deleting does not.
  deleteProperty(globalThis, "Temporal");
  defineProperty(globalThis, "Temporal", {
    __proto__: null,
    get: () => replace(build()),
    set: replace,
    enumerable: false,
    configurable: true,
  });

  return textOf;

  /**
   * An object of a class of `Temporal` in its readable form; undefined for everything else.
   *
   * @param {object} value
   */
  function textOf(value) {
    for (let i = 0; i < shown.length; i++) {
      const { name, prototype, toText } = shown[i];
      if (!isPrototypeOf(prototype, value)) continue;
      try {
        const text = toText(value);
        if (typeof text === "string") return `Temporal.${name} ${text}`;
      } catch {
        // It has the prototype and nothing else.
      }
    }
    return undefined;
  }

  /** @param {unknown} value */
  function replace(value) {
    hide(globalThis, "Temporal", value);
    return value;
  }

  function build() {
    const epoch = /** @type {any} */ (new Date(0)).toTemporalInstant();
    const zoned = epoch.toZonedDateTimeISO("UTC");
    const date = zoned.toPlainDate();
    const Instant = epoch.constructor;
    const classes = {
      Duration: epoch.since(epoch).constructor,
      Instant,
      Now: clock(Instant),
      PlainDate: date.constructor,
      PlainDateTime: zoned.toPlainDateTime().constructor,
      PlainMonthDay: date.toPlainMonthDay().constructor,
      PlainTime: zoned.toPlainTime().constructor,
      PlainYearMonth: date.toPlainYearMonth().constructor,
      ZonedDateTime: zoned.constructor,
    };
    remember(classes);
    return namespace("Temporal", classes);
  }

  /** @param {Record<string, any>} classes */
  function remember(classes) {
    const names = keys(classes);
    for (let i = 0; i < names.length; i++) {
      const { prototype } = classes[names[i]];
      const own = prototype && getOwnPropertyDescriptor(prototype, "toString");
      if (typeof own?.value !== "function") continue;
      shown[shown.length] = { name: names[i], prototype, toText: uncurryThis(own.value) };
    }
  }

  /** @param {any} Instant */
  function clock(Instant) {
    const { fromEpochMilliseconds } = Instant;
    const timeZoneId = () => "UTC";
    const instant = () => fromEpochMilliseconds(dateNow());
    const zoned = (/** @type {any} */ zone = "UTC") => instant().toZonedDateTimeISO(zone);
    return namespace("Temporal.Now", {
      instant: () => instant(),
      plainDateISO: (/** @type {any} */ zone) => zoned(zone).toPlainDate(),
      plainDateTimeISO: (/** @type {any} */ zone) => zoned(zone).toPlainDateTime(),
      plainTimeISO: (/** @type {any} */ zone) => zoned(zone).toPlainTime(),
      timeZoneId,
      zonedDateTimeISO: (/** @type {any} */ zone) => zoned(zone),
    });
  }

  /**
   * @param {string} tag
   * @param {Record<string, unknown>} members
   */
  function namespace(tag, members) {
    const target = {};
    const names = keys(members);
    for (let i = 0; i < names.length; i++) hide(target, names[i], members[names[i]]);
    defineProperty(target, toStringTag, { __proto__: null, value: tag, configurable: true });
    return target;
  }

  /**
   * @param {object} target
   * @param {string} name
   * @param {unknown} value
   */
  function hide(target, name, value) {
    const attributes = { __proto__: null, value, writable: true, enumerable: false };
    defineProperty(target, name, { ...attributes, configurable: true });
  }
}
