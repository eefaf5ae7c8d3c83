/** A sentence for a moment, at the foot of the page. */

import { byId } from "./dom.js";
import { withRules } from "./rules.js";

const SHOWN_MS = 6000;
let timer = 0;

export function toast(text) {
  const place = byId("toast");
  clearTimeout(timer);
  place.replaceChildren(...withRules(text));
  place.hidden = false;
  timer = setTimeout(() => { place.hidden = true; }, SHOWN_MS);
}
