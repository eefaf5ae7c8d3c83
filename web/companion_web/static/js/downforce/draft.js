/**
 * A hand while it is being entered: whole cards, the lines of the next one, a color that waits for its spaces.
 *
 * It stays in this browser until another hand is asked of that seat: a page that is loaded anew goes on where
 * it was, and a hand that is asked once more is there to be mended.
 */

import { recall, remember } from "../net.js";
import { CARS } from "./words.js";

/** What a line of a card can be of, in the order of the digits 1 to 7. */
export const COLORS = [...CARS, "wild"];
const MOST_LINES = 6;

const drafts = new Map(); // by their names: a form that is drawn anew goes on

function kept(name) {
  try {
    return JSON.parse(recall("localStorage", name)) ?? {};
  } catch {
    return {}; // something else's: begin anew
  }
}

/** The hand of so many cards that is kept under a name. */
export function draftOf(name, count) {
  if (!drafts.has(name)) drafts.set(name, { name, cards: [], lines: [], car: null, ...kept(name) });
  const draft = drafts.get(name);
  draft.cards.length = Math.min(draft.cards.length, count);
  return Object.assign(draft, { count });
}

/** Keep it as it stands. */
export const keep = ({ name, cards, lines }) => remember("localStorage", name, JSON.stringify({ cards, lines }));

export const isWhole = ({ cards, count }) => cards.length === count;

/** The line that has this color already; a wild may be there twice. */
const lineOf = ({ lines }, car) => (car === "wild" ? undefined : lines.find(([other]) => other === car));

/** Whether a color may be chosen: for a line more, or to give the line that has it other spaces. */
export const mayChoose = (draft, car) => draft.lines.length < MOST_LINES || Boolean(lineOf(draft, car));

/** What can be done to a draft. */
export const ACTS = {
  choose(draft, car) {
    if (mayChoose(draft, car)) draft.car = draft.car === car ? null : car;
  },
  /** The spaces of the color that is chosen; without one those of the last line are another number. */
  spaces(draft, n) {
    const line = draft.car ? lineOf(draft, draft.car) : draft.lines.at(-1);
    if (line) line[1] = n;
    else if (draft.car) draft.lines.push([draft.car, n]);
    draft.car = null;
  },
  lineOut(draft) {
    if (draft.car) draft.car = null;
    else draft.lines.pop();
  },
  cardDone(draft) {
    if (draft.lines.length) draft.cards.push(draft.lines.splice(0));
    draft.car = null;
  },
  again(draft, card) {
    draft.cards.push(structuredClone(card));
  },
  takeOut(draft, at) {
    draft.cards.splice(at, 1);
  },
};
