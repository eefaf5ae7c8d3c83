/**
 * The words of this page. What a script says is a literal in English, which is written in the page's
 * language when the scripts are joined. Names that only a race tells (of wear points, dice, asks)
 * come in the page itself.
 */

const NAMES = JSON.parse(document.body.dataset.words);

/** A text with its {places} filled in. */
export const say = (text, places = {}) =>
  text.replace(/\{(\w+)\}/g, (whole, name) => places[name] ?? whole);

/** What the first of these is called that there is a word for; undefined: there is none. */
export const named = (group, ...names) =>
  names.map((name) => NAMES[group][name]).find((text) => text !== undefined);

export const language = document.documentElement.lang;
