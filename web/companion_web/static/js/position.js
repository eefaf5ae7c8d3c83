/** A position to think about: the board as it stands, and numbered keys to answer with. */

import { showBoard } from "./board.js";
import { make } from "./dom.js";
import { recall, remember } from "./net.js";

/** Draw a position: `state` and `keyed` as /api/table has them, on a board of that name. */
export function showPosition(track, { state, keyed, circuit }, section) {
  showBoard({ id: null, race: { track, circuit }, state, keyed, asks: [], seats: [] }, section);
}

/** A key for each choice; `choose(button, number)` is told which, from 1. */
export function choiceKeys(choices, choose) {
  return choices.map((text, at) => {
    const number = at + 1;
    const button = make("button", { type: "button", className: "choice" },
      make("b", { "aria-hidden": "true" }, String(number)), make("span", {}, text));
    button.addEventListener("click", () => choose(button, number));
    return button;
  });
}

/** Say on a key, not by its color alone, whether it was right. */
export function markChoice(button, isRight) {
  button.classList.add(isRight ? "is-right" : "is-wrong");
  button.querySelector("b").textContent = isRight ? "✓" : "✗";
}

const LESSONS = "lessons";

/** What this telephone keeps of the lessons: those that were answered right (`done`, by their names) and
 *  one's own mistakes (`mine`, each with its address and title). */
export function keptLessons() {
  try {
    return { done: [], mine: [], ...JSON.parse(recall("localStorage", LESSONS) ?? "{}") };
  } catch {
    return { done: [], mine: [] };
  }
}

export const keepLessons = (kept) => remember("localStorage", LESSONS, JSON.stringify(kept));
