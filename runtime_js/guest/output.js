/**
 * `text`, `image` and the console block: output leaves the worker when it is made.
 *
 * Both limits of the output are counted here, before anything is sent; passing one ends the run.
 */

/** @typedef {import("./primordials.js").Primordials} Primordials */
/** @typedef {import("./writer.js").Writer} Writer */
/** @typedef {import("./ledger.js").Ledger} Ledger */
/** @typedef {import("./ending.js").Ending} Ending */
/** @typedef {import("./json.js").Json} Json */
/** @typedef {import("./image.js").ImageReader} ImageReader */

/**
 * @param {Primordials} primordials
 * @param {object} rooms
 * @param {Writer} rooms.writer
 * @param {Ledger} rooms.ledger
 * @param {Ending} rooms.ending
 * @param {Json} rooms.json
 * @param {ImageReader} rooms.images
 */
export function makeOutput(primordials, { writer, ledger, ending, json, images }) {
  const { floor, typedArrayLength } = primordials;

  const TEXT = 3;
  const IMAGE = 4;
  const CONSOLE = 5;

  return { render, text, image, print, admitChars, refuseChars };

  /**
   * A value as JSON text of the output; one that is too long for it ends the run.
   *
   * @param {unknown} value
   */
  function render(value) {
    const { output_chars: most } = ledger.limits;
    return json.outputText(value, { limit: most - ledger.chars, exceed: refuseChars });
  }

  /** @param {unknown} value */
  function text(value) {
    const content = render(value);
    ledger.ready();
    send(TEXT, 1, content.length, () => writer.text(content));
  }

  /** @param {unknown} source */
  function image(source) {
    const { mimeType, bytes } = images.read(source);
    ledger.ready();
    const base64Chars = floor((typedArrayLength(bytes) + 2) / 3) * 4;
    send(IMAGE, 2, base64Chars, () => {
      writer.text(mimeType);
      writer.binary(bytes);
    });
  }

  /**
   * @param {string} level
   * @param {string} line
   */
  function print(level, line) {
    ledger.ready();
    send(CONSOLE, 2, line.length, () => {
      writer.text(level);
      writer.text(line);
    });
  }

  /**
   * @param {number} kind
   * @param {number} fields
   * @param {number} chars
   * @param {() => void} fill
   */
  function send(kind, fields, chars, fill) {
    const { output_items: most } = ledger.limits;
    if (ledger.items >= most) ending.tooLarge(`output has more than ${most} items (output_items)`);
    admitChars(chars);
    writer.send(kind, fields, fill);
    ledger.items++;
    ledger.chars += chars;
  }

  /**
   * Ends the run when so many more characters are too many.
   *
   * @param {number} chars
   */
  function admitChars(chars) {
    if (ledger.chars + chars > ledger.limits.output_chars) refuseChars();
  }

  /** @returns {never} */
  function refuseChars() {
    const { output_chars: most } = ledger.limits;
    return ending.tooLarge(`output is larger than ${most} characters (output_chars)`);
  }
}
