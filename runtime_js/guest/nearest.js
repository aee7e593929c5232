/**
 * Which of some names was probably meant: by letters that differ, or because one contains the other.
 */

/** @typedef {import("./primordials.js").Primordials} Primordials */
/** @typedef {ReturnType<typeof makeNearest>} Nearest */
/** @typedef {{text: string, steps: number, index: number}} Near */

/** @param {Primordials} primordials */
export function makeNearest(primordials) {
  const { arrayJoin, arraySort, floor, list, min, stringCharCodeAt, stringIncludes } = primordials;
  const { stringSlice, stringToLowerCase } = primordials;

  const MAX_SUGGESTIONS = 3;
  const MAX_NAME = 100;

  return { collect, question };

  /**
   * Adds those of the names that are near the wanted one, case aside.
   *
   * @param {Near[]} found
   * @param {string} wanted
   * @param {string} prefix Of each name, where it is shown.
   * @param {string[]} names
   */
  function collect(found, wanted, prefix, names) {
    const target = stringToLowerCase(wanted);
    const most = 1 + floor(target.length / 3);
    for (let i = 0; i < names.length; i++) {
      const name = stringToLowerCase(stringSlice(names[i], 0, MAX_NAME));
      const isPart = target.length > 2 && name.length > 2 &&
        (stringIncludes(name, target) || stringIncludes(target, name));
      const steps = isPart && name !== target ? most : distance(target, name);
      // One letter for another makes any name of one letter.
      if (steps > most || steps >= target.length) continue;
      found[found.length] = { text: prefix + names[i], steps, index: found.length };
    }
  }

  /**
   * A question for the nearest; one of the same letters leaves no doubt.
   *
   * @param {Near[]} found
   * @returns {string | undefined} Undefined when there is none.
   */
  function question(found) {
    if (found.length === 0) return undefined;
    arraySort(found, (a, b) => a.steps - b.steps || a.index - b.index);
    const texts = list();
    for (let i = 0; i < found.length && i < MAX_SUGGESTIONS; i++) {
      if (found[0].steps === 0 && found[i].steps > 0) break;
      texts[i] = found[i].text;
    }
    return `Did you mean ${arrayJoin(texts, ", ")}?`;
  }

  /**
   * Levenshtein distance.
   *
   * @param {string} left
   * @param {string} right
   */
  function distance(left, right) {
    const row = list();
    for (let j = 0; j <= right.length; j++) row[j] = j;
    for (let i = 1; i <= left.length; i++) {
      let diagonal = row[0];
      row[0] = i;
      for (let j = 1; j <= right.length; j++) {
        const isSame = stringCharCodeAt(left, i - 1) === stringCharCodeAt(right, j - 1);
        const substituted = diagonal + (isSame ? 0 : 1);
        diagonal = row[j];
        row[j] = min(substituted, min(row[j], row[j - 1]) + 1);
      }
    }
    return row[right.length];
  }
}
