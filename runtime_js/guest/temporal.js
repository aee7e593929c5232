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
  const { dateNow, defineProperty, deleteProperty, toStringTag } = primordials;

  // Defining over it would build it; deleting does not.
  deleteProperty(globalThis, "Temporal");
  defineProperty(globalThis, "Temporal", {
    __proto__: null,
    get: () => replace(build()),
    set: replace,
    enumerable: false,
    configurable: true,
  });

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
    return namespace("Temporal", classes);
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
    const names = primordials.keys(members);
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
