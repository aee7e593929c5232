/**
 * What `image()` takes: a base64 `data:` URL, an `{image_url}`, or an image block.
 *
 * The bytes decide what an image is; a declared type must agree with them. Nothing is fetched.
 */

/** @typedef {import("./primordials.js").Primordials} Primordials */
/** @typedef {ReturnType<typeof makeImage>} ImageReader */
/** @typedef {{mimeType: string, bytes: Uint8Array}} Image */

/** @param {Primordials} primordials */
export function makeImage(primordials) {
  const { TypeError, fromBase64, stringIndexOf, stringSlice, stringStartsWith } = primordials;
  const { stringToLowerCase, typedArrayLength } = primordials;

  const EXPECTED = 'expected a base64 data: URL, {image_url}, or {type: "image", data, mimeType}';
  const BASE64 = ";base64";
  const ANY = -1;
  /** @type {{mimeType: string, signature: number[]}[]} */
  const TYPES = [
    { mimeType: "image/png", signature: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
    { mimeType: "image/jpeg", signature: [0xff, 0xd8, 0xff] },
    { mimeType: "image/gif", signature: [0x47, 0x49, 0x46, 0x38, 0x37, 0x61] },
    { mimeType: "image/gif", signature: [0x47, 0x49, 0x46, 0x38, 0x39, 0x61] },
    {
      mimeType: "image/webp",
      signature: [0x52, 0x49, 0x46, 0x46, ANY, ANY, ANY, ANY, 0x57, 0x45, 0x42, 0x50],
    },
  ];

  return { read };

  /**
   * Throws a TypeError that says what is wrong with the image.
   *
   * @param {any} source
   * @returns {Image}
   */
  function read(source) {
    if (typeof source === "string") return fromUrl(source);
    if (typeof source !== "object" || source === null) return refuse(EXPECTED);
    const url = source.image_url;
    if (url !== undefined) {
      const target = typeof url === "object" && url !== null ? url.url : url;
      return typeof target === "string" ? fromUrl(target) : refuse("image_url is not a string");
    }
    if (source.type !== "image") return refuse(EXPECTED);
    const { data, mimeType } = source;
    if (typeof data !== "string") return refuse("data of an image block is a base64 string");
    if (typeof mimeType !== "string") return refuse("mimeType of an image block is a string");
    return decode(mimeType, data);
  }

  /**
   * @param {string} why
   * @returns {never}
   */
  function refuse(why) {
    throw new TypeError(`image(): ${why}`);
  }

  /** @param {string} url */
  function fromUrl(url) {
    if (stringToLowerCase(stringSlice(url, 0, 5)) !== "data:") {
      return refuse("only data: URLs are shown, nothing is fetched");
    }
    const comma = stringIndexOf(url, ",");
    if (comma < 0) return refuse("the data: URL has no comma");
    const head = stringToLowerCase(stringSlice(url, 5, comma));
    if (stringSlice(head, -BASE64.length) !== BASE64) return refuse("the data: URL is not base64");
    const semicolon = stringIndexOf(head, ";");
    return decode(stringSlice(head, 0, semicolon), stringSlice(url, comma + 1));
  }

  /**
   * @param {string} declared
   * @param {string} base64
   * @returns {Image}
   */
  function decode(declared, base64) {
    const bytes = decodeBase64(base64);
    const mimeType = sniff(bytes);
    if (mimeType === undefined) return refuse("the bytes are no PNG, JPEG, GIF or WebP image");
    const wanted = stringToLowerCase(declared);
    if (wanted !== mimeType && !(wanted === "image/jpg" && mimeType === "image/jpeg")) {
      const shown = stringStartsWith(wanted, "image/")
        ? stringSlice(wanted, 0, 40)
        : "another type";
      return refuse(`declared as ${shown}, but the bytes are ${mimeType}`);
    }
    return { mimeType, bytes };
  }

  /** @param {string} base64 */
  function decodeBase64(base64) {
    try {
      return fromBase64(base64, { __proto__: null, lastChunkHandling: "strict" });
    } catch {
      return refuse("the base64 data is broken");
    }
  }

  /** @param {Uint8Array} bytes */
  function sniff(bytes) {
    for (let i = 0; i < TYPES.length; i++) {
      if (begins(bytes, TYPES[i].signature)) return TYPES[i].mimeType;
    }
    return undefined;
  }

  /**
   * @param {Uint8Array} bytes
   * @param {number[]} signature
   */
  function begins(bytes, signature) {
    if (typedArrayLength(bytes) < signature.length) return false;
    for (let i = 0; i < signature.length; i++) {
      if (signature[i] !== ANY && signature[i] !== bytes[i]) return false;
    }
    return true;
  }
}
