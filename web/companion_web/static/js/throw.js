/**
 * A die that the companion has thrown, large for a moment: it tumbles, where motion is wanted, and
 * shows its face. It lies over the page and takes no touch.
 */

import { make } from "./dom.js";

const SHOWN_MS = 2600;
const BRIEF_MS = 1500; // on a phone, whose road lies under it

let seen = null; // the version of the last throw that was told; null: this page has only just come
let timer = 0;

/** The color of a die: its gear's, or black. */
export const dieClass = (gear) => (gear ? `die-${gear}` : "die-black");

/** Show a throw that has not been told yet: whose it is, where several look on, and of which gear;
 * `thrown` null: none is told. */
export function showThrow(thrown, place, { who = "", what = "" } = {}) {
  const shown = who ? SHOWN_MS : BRIEF_MS;
  const version = thrown?.version ?? 0;
  const isNew = seen !== null && version > seen;
  seen = Math.max(seen ?? 0, version);
  if (!isNew) return;
  clearTimeout(timer);
  place.className = `thrown ${dieClass(thrown.gear)}`;
  place.replaceChildren(
    make("span", { className: "of" }, who),
    make("b", { className: "face" }, make("span", {}, thrown.shows)),
    make("span", { className: "of" }, what));
  place.hidden = false;
  timer = setTimeout(() => { place.hidden = true; }, shown);
}
