/** A gear is always its die: the same shapes on every screen of a phone. */

import { draw } from "../dom.js";

const BLACK = 5; // of six corners, as the black die is drawn
const SHAPES = {
  1: "50,8 96,88 4,88",
  2: "9,9 91,9 91,91 9,91",
  3: "50,-1 101,50 50,101 -1,50",
  4: "50,5 96,38 78,92 22,92 4,38",
  5: "50,3 91,26 91,74 50,97 9,74 9,26",
  6: "64,6 88,23 96,50 88,77 64,94 36,94 12,77 4,50 12,23 36,6",
};
const LOWER = { 1: 66 }; // where the middle of a figure is; else at 50

/** Text in a drawing. */
export function text(content, attributes) {
  const element = draw("text", { "text-anchor": "middle", ...attributes });
  element.textContent = content;
  return element;
}

/** The die of a gear (0: the black one) with a figure on it. */
export function die(gear, figure = gear || "") {
  const told = String(figure);
  const size = told.length > 3 ? 24 : told.length > 2 ? 32 : gear === 1 ? 40 : 46;
  return draw("svg", { class: `die ${gear ? `die-${gear}` : "die-black"}`, viewBox: "-4 -4 108 108", "aria-hidden": "true" },
    draw("polygon", { points: SHAPES[gear || BLACK] }),
    text(told, { x: 50, y: (LOWER[gear] ?? 50) + size * 0.36, "font-size": size }));
}
