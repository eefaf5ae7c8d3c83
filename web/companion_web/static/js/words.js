/** The words of this page, in its language: handed over as JSON in the page itself. */

const WORDS = JSON.parse(document.body.dataset.words);

/** The text of a key with its {places} filled in; a key without a text is its own text. */
export function say(key, places = {}) {
  return (WORDS[key] ?? key).replace(/\{(\w+)\}/g, (whole, name) => places[name] ?? whole);
}

/** The first of these keys that there is a text for. */
export function sayFirst(keys, places = {}) {
  return say(keys.find((key) => key in WORDS) ?? keys.at(-1), places);
}

export const language = document.documentElement.lang;
