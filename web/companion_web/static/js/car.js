/** A car from above, nose to the right, in the two colors of its seat with its number upright. */

import { draw } from "./dom.js";
import { painted } from "./paint.js";

/** Class, and what is drawn, in a box of 64 by 30 with its middle at 32, 0. */
const PARTS = [
  ["tyre", "M7 -15h14v8.5h-14zM7 6.5h14v8.5h-14zM41 -14h11v7h-11zM41 7h11v7h-11z"],
  ["trim", "M0 -12h7v24h-7zM57 -13h6v26h-6z"],
  ["paint", "M5 -7L12 -8L18 -11.5L34 -10.5L42 -5.4L60 -3.6L60 3.6L42 5.4L34 10.5L18 11.5L12 8L5 7Z"],
  ["trim", "M44 -5L58 -3.6L58 3.6L44 5Z"],
  ["tyre", "M38 -4L46 -2.6L46 2.6L38 4Z"],
];
const [NUMBER_X, NUMBER_R] = [24, 9.4];
const MIDDLE = 32;
const DIGIT = 7.2; // how wide one is

/** The shapes around 0, 0, nose to the right or up; what shows it may turn the group and its `.number` back. */
export function carShape(seat, { up = false } = {}) {
  const all = PARTS.map(([, d]) => d).join("");
  const ahead = MIDDLE - NUMBER_X; // of its number
  const inside = draw("g", { transform: `${up ? "rotate(-90) " : ""}translate(${-MIDDLE} 0)` },
    draw("path", { class: "silhouette", d: all }),
    ...PARTS.map(([name, d]) => draw("path", { class: name, d })),
    draw("circle", { class: "plate", cx: NUMBER_X, r: NUMBER_R }));
  // Digit by digit: they stand on a white plate, which tools that look for contrast do not see.
  const number = draw("g", { class: "number" }, ...[...String(seat)].map((digit, at, all) => {
    const one = draw("text", { x: (at - (all.length - 1) / 2) * DIGIT, "text-anchor": "middle", dy: "0.36em" });
    one.textContent = digit;
    return one;
  }));
  return draw("g", { class: "auto" }, inside,
    draw("g", { transform: up ? `translate(0 ${ahead})` : `translate(${-ahead} 0)` }, number));
}

/** The car of a seat as a picture beside its name, which is why it says nothing itself; `color`: not that of its seat. */
export const carPicture = (seat, color) => {
  const picture = draw("svg", { class: `car-picture car-${seat}`, viewBox: "-35 -18 70 36", "aria-hidden": "true" }, carShape(seat));
  return color ? painted(picture, color) : picture;
};
